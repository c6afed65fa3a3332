/** Where a skill comes from; the first of these that has a slug wins (seed 8). */
export const SKILL_SOURCES = [
  'workspace',
  'agents-project',
  'agents-personal',
  'managed',
  'global',
  'builtin',
] as const
/** See `SKILL_SOURCES`. */
export type SkillSource = (typeof SKILL_SOURCES)[number]

/** Something that a reader of a SKILL.md had to put up with, or that the Agent Skills format would reject. */
export interface SkillWarning {
  /** Stable; see `SKILL_WARNING_CODES`. */
  readonly code: SkillWarningCode
  /** A sentence that says what was found, and what would be right. */
  readonly message: string
  /** Line of the file, from 1, where it is known. */
  readonly line?: number | undefined
}

/**
 * What a warning can be about.
 *
 * - `encoding`: bytes that are no UTF-8, NUL, or half of a surrogate pair
 * - `frontmatter_missing`: the file begins with no block between two lines of three dashes
 * - `frontmatter_unclosed`: the block has no closing line
 * - `frontmatter_invalid`: the block is no YAML, and was read line by line
 * - `frontmatter_limit`: the block is larger or deeper than is read
 * - `field_invalid`: a field has a value that cannot be used
 * - `format`: the skill is used as it is, and the Agent Skills format would reject it
 * - `path`: a link or a path that leads out of the folder, and was not followed
 * - `unreadable`: the file could not be read
 * - `shadowed`: another folder of the same tier has the slug, spelt differently
 * - `visibility_kept`: an upload gave a visibility, which is for new skills, and the skill has another one
 */
export const SKILL_WARNING_CODES = [
  'encoding',
  'frontmatter_missing',
  'frontmatter_unclosed',
  'frontmatter_invalid',
  'frontmatter_limit',
  'field_invalid',
  'format',
  'path',
  'unreadable',
  'shadowed',
  'visibility_kept',
] as const
/** See `SKILL_WARNING_CODES`. */
export type SkillWarningCode = (typeof SKILL_WARNING_CODES)[number]

/** What a SKILL.md says. */
export interface ParsedSkill {
  /** The name of its folder, by which it is known. */
  readonly slug: string
  /** What it calls itself. Default: the slug. */
  readonly name: string
  /** When to use it; `''` when it does not say. */
  readonly description: string
  /** The text below the frontmatter, with `\n` as line ends. */
  readonly body: string
  /** Whether it asks for its body to be in the prompt when it is pinned. Default false. */
  readonly inlineBody: boolean
  /** Every field of the frontmatter, as it was read. */
  readonly frontmatter: Readonly<Record<string, unknown>>
  /** How the frontmatter was read. */
  readonly format: 'json' | 'yaml' | 'lines' | 'none'
  readonly warnings: readonly SkillWarning[]
}

/** The little that presentation, search and commands need of a skill. */
export interface SkillSummary {
  readonly slug: string
  readonly name: string
  readonly description: string
}

/** A skill that was found in a tier. */
export interface Skill extends SkillSummary {
  readonly source: SkillSource
  /** Where its SKILL.md can be read: an absolute path, or an address that the application serves. */
  readonly location: string
  readonly inlineBody: boolean
  readonly frontmatter: Readonly<Record<string, unknown>>
  readonly warnings: readonly SkillWarning[]
  /** Of a managed skill, from 1. */
  readonly version?: number | undefined
}

/** A skill of a folder. */
export interface FolderSkill extends Skill {
  /** Its own folder, absolute. */
  readonly baseDir: string
  /** The folder of skills in which it was found and within which links are followed, absolute and without links. */
  readonly root: string
}

/** A warning, and what it is about. */
export interface LocatedWarning extends SkillWarning {
  readonly source: SkillSource
  readonly slug: string
}
