import type { InputIssue } from '@loam/core'
import { z } from 'zod'

/** What stands under `consolidation` in an agent's settings. Check what a person writes with it; unknown keys are left alone. */
export const consolidationSettingsSchema = z.object({
  /** Whether episodes are made of conversations with this agent. */
  enabled: z.boolean().default(true),
  /** After how many days an episode expires; null keeps it (spec 05, 6.2). */
  episodicTtlDays: z.number().positive().max(36_500).nullable().default(90),
  /** How long a session must rest before its episodes are made; 0 makes them after each run. */
  idleSeconds: z
    .number()
    .min(0)
    .max(7 * 86_400)
    .default(0),
})
/** See `consolidationSettingsSchema`. */
export type ConsolidationSettings = z.infer<typeof consolidationSettingsSchema>

/**
 * Reads the settings of an agent. A value that breaks a rule has its default instead and is named in `issues`, so that
 * a mistake in one setting does not stop the agent's memory.
 */
export function readConsolidationSettings(agentSettings: Readonly<Record<string, unknown>>): {
  readonly settings: ConsolidationSettings
  readonly issues: readonly InputIssue[]
} {
  const given = agentSettings['consolidation'] ?? {}
  const parsed = consolidationSettingsSchema.safeParse(given)
  if (parsed.success) return { settings: parsed.data, issues: [] }
  const issues = parsed.error.issues.map(({ path, message }) => ({
    path: ['consolidation', ...path].join('.'),
    message,
  }))
  const faulty = new Set(parsed.error.issues.map(({ path }) => path[0]))
  const sound =
    typeof given === 'object'
      ? Object.fromEntries(Object.entries(given).filter(([key]) => !faulty.has(key)))
      : {}
  return { settings: consolidationSettingsSchema.parse(sound), issues }
}
