import type { InputIssue } from '@loam/core'
import { readAgentSettings } from '@loam/storage'
import { z } from 'zod'
import { PRESENTATION_LIMITS } from './presentation/plan.js'

const slugs = z.array(z.string().max(256)).max(10_000)

/** What stands under `skills` in an agent's settings. */
export const skillSettingsSchema = z.object({
  /** Which of the accessible skills the agent has: null all, `[]` none. Default null (seed 12.5). */
  allowList: slugs.nullable().default(null),
  /** Skills that are listed in any case; the first 10 that it may use. Default none. */
  pinned: slugs.default([]),
  /** Most skills that are listed rather than searched. Default 20. */
  maxInlineSkills: z.int().min(0).max(1_000).default(PRESENTATION_LIMITS.maxInlineSkills),
  /** Most tokens that their names and descriptions may have. Default 3,500. */
  maxInlineTokens: z.int().min(0).max(100_000).default(PRESENTATION_LIMITS.maxInlineTokens),
})

/** See `skillSettingsSchema`. */
export type SkillSettings = z.infer<typeof skillSettingsSchema>

/**
 * Reads the settings of an agent that concern its skills. An allow list that is not valid lets nothing through, since it was
 * meant to keep something out; any other setting has its default instead.
 */
export function readSkillSettings(settings: Readonly<Record<string, unknown>>): {
  readonly settings: SkillSettings
  readonly issues: readonly InputIssue[]
} {
  const read = readAgentSettings(settings, 'skills', skillSettingsSchema)
  const closed = read.issues.some(
    ({ path }) => path === 'skills' || path.startsWith('skills.allowList'),
  )
  return closed ? { ...read, settings: { ...read.settings, allowList: [] } } : read
}
