import type { SkillSummary } from '../skill.js'
import { matchSkill, suggestSkills, targetOf } from './match-skill.js'
import { parseCommand } from './parse-command.js'
import { readSlashCommandSettings, type SlashSettingsLayer } from './slash-settings.js'

/** What a message asks for as a command. `none`: it is an ordinary message. */
export type SlashCommand<Entry extends SkillSummary = SkillSummary> =
  | { readonly kind: 'none' }
  | { readonly kind: 'activate'; readonly skill: Entry; readonly remainder: string }
  | { readonly kind: 'list' }
  | { readonly kind: 'help'; readonly skill: Entry }
  | {
      readonly kind: 'unknown'
      /** What was typed in the place of a skill. */
      readonly target: string
      readonly suggestions: readonly Entry[]
    }

/**
 * Reads a message as a command about skills: `/<slug> …`, `/use <slug or name> …`, `/list-skills`, `/help <slug or name>`
 * (seed 9.5). A command that names no skill and is like none is an ordinary message.
 *
 * @param skills those that the caller may use: no other is ever named.
 * @param settings default: `SLASH_COMMAND_DEFAULTS`.
 * @example
 * resolveSlashCommand('/pdf read this', skills) // { kind: 'activate', skill, remainder: 'read this' }
 */
export function resolveSlashCommand<Entry extends SkillSummary>(
  message: string,
  skills: readonly Entry[],
  settings: SlashSettingsLayer = {},
): SlashCommand<Entry> {
  const { enabled, suggestNotFound, partialMatching, prefix } = readSlashCommandSettings(settings)
  const command = enabled ? parseCommand(message, prefix) : undefined
  if (command === undefined) return { kind: 'none' }
  if (command.verb === 'list') return { kind: 'list' }
  const match = matchSkill(command.text, skills, { partial: partialMatching })
  if (match !== undefined) {
    const { skill, remainder } = match
    return command.verb === 'help'
      ? { kind: 'help', skill }
      : { kind: 'activate', skill, remainder }
  }
  const suggestions = suggestNotFound ? suggestSkills(command.text, skills) : []
  if (suggestions.length === 0) return { kind: 'none' }
  return { kind: 'unknown', target: targetOf(command.text), suggestions }
}
