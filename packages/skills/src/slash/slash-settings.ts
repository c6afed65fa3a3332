/** How slash commands work for a tenant (seed 9.5). */
export interface SlashCommandSettings {
  /** Whether commands are looked for at all. Default true. */
  readonly enabled: boolean
  /** Whether an unknown command is answered with similar ones. Default true. */
  readonly suggestNotFound: boolean
  /** Whether the beginning of a name is enough where only one skill has it. Default false. */
  readonly partialMatching: boolean
  /** The character that commands begin with. Default `/`. */
  readonly prefix: string
}

/** Settings from one place, as texts or as they are; what is blank or missing is left to the layer below. */
export type SlashSettingsLayer = {
  readonly [Name in keyof SlashCommandSettings]?: string | SlashCommandSettings[Name] | undefined
}

/** See `SlashCommandSettings`. */
export const SLASH_COMMAND_DEFAULTS: SlashCommandSettings = {
  enabled: true,
  suggestNotFound: true,
  partialMatching: false,
  prefix: '/',
}

/**
 * Puts layers of settings on each other, later ones over earlier ones. True are 1, true, yes and on, whatever their case;
 * any other text is false. A prefix that is not exactly one character is `/`.
 *
 * @example
 * readSlashCommandSettings(slashSettingsFromEnvironment(env), slashSettingsFromConfigs(configs))
 */
export function readSlashCommandSettings(
  ...layers: readonly SlashSettingsLayer[]
): SlashCommandSettings {
  const latest = (name: keyof SlashCommandSettings): string | boolean | undefined =>
    layers
      .map((layer) => layer[name])
      .findLast(
        (value) => value !== undefined && (typeof value !== 'string' || value.trim() !== ''),
      )
  const truth = (name: 'enabled' | 'suggestNotFound' | 'partialMatching'): boolean => {
    const value = latest(name)
    if (value === undefined) return SLASH_COMMAND_DEFAULTS[name]
    return typeof value === 'string' ? TRUE.has(value.trim().toLowerCase()) : value
  }
  const prefix = String(latest('prefix') ?? '').trim()
  return {
    enabled: truth('enabled'),
    suggestNotFound: truth('suggestNotFound'),
    partialMatching: truth('partialMatching'),
    prefix: Array.from(prefix).length === 1 ? prefix : SLASH_COMMAND_DEFAULTS.prefix,
  }
}

/** The layer of an environment: `LOAM_SKILLS_SLASH_COMMANDS_…`. */
export function slashSettingsFromEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): SlashSettingsLayer {
  return {
    enabled: env['LOAM_SKILLS_SLASH_COMMANDS_ENABLED'],
    suggestNotFound: env['LOAM_SKILLS_SLASH_COMMANDS_SUGGEST_NOT_FOUND'],
    partialMatching: env['LOAM_SKILLS_SLASH_COMMANDS_PARTIAL_MATCHING'],
    prefix: env['LOAM_SKILLS_SLASH_COMMANDS_PREFIX'],
  }
}

/** The layer of a tenant's settings, by key. */
export function slashSettingsFromConfigs(configs: ReadonlyMap<string, string>): SlashSettingsLayer {
  return {
    enabled: configs.get('skills.slash_commands.enabled'),
    suggestNotFound: configs.get('skills.slash_commands.suggest_not_found'),
    partialMatching: configs.get('skills.slash_commands.partial_matching'),
    prefix: configs.get('skills.slash_commands.prefix'),
  }
}

const TRUE: ReadonlySet<string> = new Set(['1', 'true', 'yes', 'on'])
