import { contextFileSettingsSchema } from '@loam/bootstrap'
import { consolidationSettingsSchema } from '@loam/consolidation'
import { InvalidInputError, toInputIssues, type InputIssue } from '@loam/core'
import { PROMPT_MODES, type PromptMode } from '@loam/prompt'
import { skillSettingsSchema } from '@loam/skills'
import { readAgentSettings } from '@loam/storage'
import { z } from 'zod'

/** What stands under `prompt` in an agent's settings. */
const promptSettingsSchema = z.object({
  /** How much of the prompt is built, as far as the kind of session allows. Default: all of it. */
  mode: z.enum(PROMPT_MODES).optional(),
})

/** The settings that features read, by the name under which they stand. */
const KNOWN: Readonly<Record<string, z.ZodType>> = {
  consolidation: consolidationSettingsSchema,
  contextFiles: contextFileSettingsSchema,
  prompt: promptSettingsSchema,
  skills: skillSettingsSchema,
}

/**
 * Refuses settings that somebody writes and no feature could read. What is unknown is kept.
 *
 * @param written the names of the features that are written. Others keep what they have, whatever it is. Default: all.
 * @throws InvalidInputError naming every fault.
 */
export function checkAgentSettings(
  settings: Readonly<Record<string, unknown>>,
  written: readonly string[] = Object.keys(settings),
): void {
  const issues: InputIssue[] = []
  for (const [feature, schema] of Object.entries(KNOWN)) {
    const value = settings[feature]
    if (!written.includes(feature) || value === undefined || value === null) continue
    const { error } = schema.safeParse(value)
    if (!error) continue
    const faults = toInputIssues(error).map(({ path, message }) => ({
      path: ['settings', feature, path].filter((part) => part !== '').join('.'),
      message,
    }))
    issues.push(...faults)
  }
  const [first] = issues
  if (!first) return
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : ''
  throw new InvalidInputError({ message: `${first.path}: ${first.message}${more}.`, issues })
}

/** Reads the settings of an agent that concern its prompt; see `readAgentSettings`. */
export function readPromptSettings(settings: Readonly<Record<string, unknown>>): {
  readonly mode: PromptMode | undefined
  readonly warnings: readonly string[]
} {
  const read = readAgentSettings(settings, 'prompt', promptSettingsSchema)
  return {
    mode: read.settings.mode,
    warnings: read.issues.map(
      ({ path, message }) => `The setting ${path} is not valid, and has its default: ${message}.`,
    ),
  }
}
