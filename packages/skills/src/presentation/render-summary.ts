import { escapeXml, headOf } from '@loam/text'
import type { SkillSummary } from '../skill.js'

/** What is shown of a skill. */
export interface ShownSkill extends SkillSummary {
  /** Where its SKILL.md can be read. */
  readonly location?: string | undefined
  /** Its text, where it asks for it and is pinned. */
  readonly body?: string | undefined
}

/** Most characters of a description. */
const MAX_DESCRIPTION_CHARACTERS = 200
/** Most bytes of a body (spec 03, 4.4). */
export const MAX_INLINE_BODY_BYTES = 8_192

/**
 * Renders skills as an `<available_skills>` block, or as `''` when there are none. Everything is escaped.
 *
 * @example
 * renderSkillSummary([{ slug: 'pdf', name: 'PDF', description: 'Reads <PDF>', location: '/skills/pdf/SKILL.md' }])
 */
export function renderSkillSummary(skills: readonly ShownSkill[]): string {
  if (skills.length === 0) return ''
  return ['<available_skills>', ...skills.map(renderSkill), '</available_skills>'].join('\n')
}

function renderSkill({ name, description, location, body }: ShownSkill): string {
  return [
    '  <skill>',
    `    <name>${escapeXml(name)}</name>`,
    `    <description>${escapeXml(shortened(description))}</description>`,
    ...(location === undefined ? [] : [`    <location>${escapeXml(location)}</location>`]),
    ...(body === undefined ? [] : [`    <body>${escapeXml(cutBody(body))}</body>`]),
    '  </skill>',
  ].join('\n')
}

function shortened(text: string): string {
  return text.length > MAX_DESCRIPTION_CHARACTERS
    ? `${headOf(text, MAX_DESCRIPTION_CHARACTERS)}…`
    : text
}

/** Cuts a body at `MAX_INLINE_BODY_BYTES` of UTF-8, between characters, and says so. */
export function cutBody(body: string): string {
  const bytes = new TextEncoder().encode(body)
  if (bytes.length <= MAX_INLINE_BODY_BYTES) return body
  // In stream mode a character that the cut goes through is left out.
  const head = new TextDecoder().decode(bytes.subarray(0, MAX_INLINE_BODY_BYTES), { stream: true })
  return `${head}\n[…truncated, read SKILL.md for the rest…]`
}
