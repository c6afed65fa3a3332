import type { InputIssue } from '@loam/core'
import { readAgentSettings } from '@loam/storage'
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

/** Reads the settings of an agent; see `readAgentSettings`. */
export function readConsolidationSettings(agentSettings: Readonly<Record<string, unknown>>): {
  readonly settings: ConsolidationSettings
  readonly issues: readonly InputIssue[]
} {
  return readAgentSettings(agentSettings, 'consolidation', consolidationSettingsSchema)
}
