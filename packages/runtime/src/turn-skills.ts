import { prose } from '@loam/prompt'
import {
  applySlashCommand,
  cutBody,
  readSkillSettings,
  readSlashCommandSettings,
  resolveSlashCommand,
  slashSettingsFromConfigs,
  type SkillPresentation,
  type CandidateSkill,
  type Skills,
  type SkillRequest,
  type SlashCommand,
  type SlashCommandSettings,
} from '@loam/skills'
import type { Agent, Stores, SystemConfig } from '@loam/storage'

/** What the skills of a turn depend on. */
export interface TurnSkillsRequest {
  readonly tenantId: string
  readonly agent: Pick<Agent, 'id' | 'settings'>
  readonly userId: string
  /** What the user says. */
  readonly message?: string | undefined
  /** Takes the place of the agent's allow list for this turn. */
  readonly skillFilter?: readonly string[] | null | undefined
  /** Whether the filter takes away from the allow list, and adds nothing to it. Default false. */
  readonly skillFilterNarrows?: boolean | undefined
}

/** What skills do for one turn. */
export interface TurnSkills {
  readonly presentation: SkillPresentation<CandidateSkill>
  /** Texts of pinned skills that ask to be in the prompt as a whole, by slug. */
  readonly bodies: ReadonlyMap<string, string>
  /** What a slash command made of the message; the message itself where there is none. */
  readonly message: string | undefined
  /** What a slash command adds to the prompt of this turn. */
  readonly extraPrompt: string | undefined
  readonly command: SlashCommand
  /** How many skills the agent and the user may use, before a command narrowed them. */
  readonly count: number
  readonly version: number
  readonly warnings: readonly string[]
}

/** What of the database the skills of a turn depend on. */
export interface TurnSkillsState {
  readonly revision: number
  /** The tenant's own settings. */
  readonly configs: readonly SystemConfig[]
}

/** Reads it, so that whoever has a unit of work anyway needs no other one. */
export async function readTurnSkillsState({
  skills,
  systemConfigs,
}: Pick<Stores, 'skills' | 'systemConfigs'>): Promise<TurnSkillsState> {
  const [revision, configs] = await Promise.all([skills.revision(), systemConfigs.list()])
  return { revision, configs }
}

/** What it works with. */
export interface TurnSkillsOptions {
  readonly skills: Pick<Skills, 'accessible' | 'present' | 'load'>
  /** Settings of slash commands that the installation was started with. */
  readonly slashCommands: SlashCommandSettings
}

/** Whose skills are meant: those of the agent's allow list, or of the turn's own filter. */
export function skillRequestOf(
  request: TurnSkillsRequest,
): SkillRequest & { readonly warnings: readonly string[] } {
  const { tenantId, agent, userId, skillFilter, skillFilterNarrows = false } = request
  const { settings, issues } = readSkillSettings(agent.settings)
  const within = skillFilterNarrows && settings.allowList ? new Set(settings.allowList) : undefined
  return {
    tenantId,
    agentId: agent.id,
    userId,
    allowList: settings.allowList,
    filter: within ? skillFilter?.filter((slug) => within.has(slug)) : skillFilter,
    warnings: issues.map(({ path, message }) => `The setting ${path} is not valid: ${message}`),
  }
}

/** Finds the skills of a turn, does what a slash command asks, and decides how they stand in the prompt. */
export async function prepareTurnSkills(
  options: TurnSkillsOptions,
  request: TurnSkillsRequest,
  state: Promise<TurnSkillsState>,
): Promise<TurnSkills> {
  const { skills, slashCommands } = options
  const { tenantId, userId, message, agent } = request
  const asked = skillRequestOf(request)
  const { revision, configs } = await state
  const set = await skills.accessible(asked, { revision })
  // Defaults, then what the installation was started with, then what the tenant has set (spec 03, 4.8).
  const values = new Map(configs.map(({ key, value }) => [key, value]))
  const settings = readSlashCommandSettings(slashCommands, slashSettingsFromConfigs(values))
  const command: SlashCommand =
    message === undefined ? { kind: 'none' } : resolveSlashCommand(message, set.skills, settings)
  const effect = await applySlashCommand(command, {
    message: message ?? '',
    prefix: settings.prefix,
    skills: set.skills,
    load: async ({ slug }) => (await skills.load(asked, slug)).text,
  })
  const only = effect.skillFilter && new Set(effect.skillFilter)
  const shown = only ? set.skills.filter(({ slug }) => only.has(slug)) : set.skills
  const { pinned, maxInlineSkills, maxInlineTokens } = readSkillSettings(agent.settings).settings
  const presentation = await skills.present(
    { tenantId, userId },
    { skills: shown },
    { pinned, maxInlineSkills, maxInlineTokens },
  )
  const whole = await Promise.all(
    presentation.pinned
      .filter(({ inlineBody }) => inlineBody)
      .map(async ({ slug }) => [slug, cutBody((await skills.load(asked, slug)).text)] as const),
  )
  return {
    presentation,
    bodies: new Map(whole),
    message: message === undefined ? undefined : effect.message,
    // Who asks for the command alone puts it into a prompt of their own.
    extraPrompt: effect.extraPrompt === undefined ? undefined : prose(effect.extraPrompt),
    command,
    count: set.skills.length,
    version: set.version,
    warnings: asked.warnings,
  }
}
