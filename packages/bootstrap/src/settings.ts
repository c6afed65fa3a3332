import type { InputIssue } from '@loam/core'
import { readAgentSettings } from '@loam/storage'
import { z } from 'zod'

// What is not above 0 means the default.
const characters = z.number().max(10_000_000).optional()
const share = z.number().max(1).optional()

/** What stands under `contextFiles` in an agent's settings. Check what a person writes with it; unknown keys are left alone. */
export const contextFileSettingsSchema = z.object({
  /** Whether a predefined agent may change its own `SOUL.md`, for all its users. */
  selfEvolve: z.boolean().default(false),
  /** Who may change the context files of a group: sender ids, for all groups or for one. */
  groupEditors: z
    .array(z.object({ senderId: z.string().min(1), group: z.string().min(1).optional() }))
    .max(1_000)
    .default([]),
  /** How much of the files reaches a prompt; see `truncateContextFiles`. */
  limits: z
    .object({
      maxCharsPerFile: characters,
      totalMaxChars: characters,
      minFileBudget: characters,
      headRatio: share,
      tailRatio: share,
    })
    .default({}),
})
/** See `contextFileSettingsSchema`. */
export type ContextFileSettings = z.infer<typeof contextFileSettingsSchema>

/** Reads the settings of an agent; see `readAgentSettings`. */
export function readContextFileSettings(agentSettings: Readonly<Record<string, unknown>>): {
  readonly settings: ContextFileSettings
  readonly issues: readonly InputIssue[]
} {
  return readAgentSettings(agentSettings, 'contextFiles', contextFileSettingsSchema)
}
