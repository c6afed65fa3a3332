import type { SkillSummary } from '../skill.js'

/** Up to which number and size skills are listed in the prompt (seed 9). */
export const PRESENTATION_LIMITS = {
  maxInlineSkills: 20,
  maxInlineTokens: 3_500,
  maxPinned: 10,
} as const

/** How skills are to be presented. */
export interface PresentationOptions {
  /** Most skills that are listed. Default 20. */
  readonly maxInlineSkills?: number | undefined
  /** Most tokens that their names and descriptions may have. Default 3,500. */
  readonly maxInlineTokens?: number | undefined
  /** Slugs that are listed in any case; the first 10 that there are. */
  readonly pinned?: readonly string[] | undefined
}

/** How skills are presented in one prompt. */
export interface SkillPresentation<Entry extends SkillSummary = SkillSummary> {
  /** `none` when there are no skills; `search` when there are more than fit. */
  readonly mode: 'none' | 'inline' | 'search'
  /** Those that are listed besides the pinned ones: all in mode `inline`, else none. */
  readonly listed: readonly Entry[]
  readonly pinned: readonly Entry[]
  /** Estimated size of all names and descriptions: their characters divided by four. */
  readonly tokens: number
}

/**
 * Decides whether the skills that a caller may use are listed in the prompt or are to be searched for. To be asked for each
 * prompt, with the same skills that search and slash commands are given.
 *
 * @example
 * planSkillPresentation(skills) // { mode: 'inline', listed: skills, pinned: [], tokens: 42.5 }
 */
export function planSkillPresentation<Entry extends SkillSummary>(
  skills: readonly Entry[],
  options: PresentationOptions = {},
): SkillPresentation<Entry> {
  const {
    maxInlineSkills = PRESENTATION_LIMITS.maxInlineSkills,
    maxInlineTokens = PRESENTATION_LIMITS.maxInlineTokens,
    pinned = [],
  } = options
  const tokens =
    skills.reduce((sum, { name, description }) => sum + name.length + description.length, 0) / 4
  if (skills.length === 0) return { mode: 'none', listed: [], pinned: [], tokens }
  const bySlug = new Map(skills.map((skill) => [skill.slug, skill]))
  const pinnedSkills = Array.from(new Set(pinned), (slug) => bySlug.get(slug))
    .filter((skill) => skill !== undefined)
    .slice(0, PRESENTATION_LIMITS.maxPinned)
  const isInline = skills.length <= maxInlineSkills && tokens <= maxInlineTokens
  const apart = new Set(pinnedSkills)
  return {
    mode: isInline ? 'inline' : 'search',
    listed: isInline ? skills.filter((skill) => !apart.has(skill)) : [],
    pinned: pinnedSkills,
    tokens,
  }
}
