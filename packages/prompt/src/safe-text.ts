/// <reference lib="es2024.string" />
import { toStorableText } from '@loam/core'
import { escapeXml, fence, headOf, neutralize } from '@loam/text'
import { BOUNDARY_MARK } from './cache-boundary.js'

/** Every tag that a prompt or a history uses; frozen, so that its pattern is compiled once. Text from outside can neither open nor close any of them. */
export const PROMPT_TAGS = Object.freeze([
  'context_file',
  'system_context',
  'extra_context',
  'current_chat',
  'user_identity',
  'recalled_memory',
  'available_skills',
  'pinned_skills',
  'skill',
  'skill_body',
  'workspace_notes',
  'sandbox_notes',
  'messaging_notes',
  'unavailable_files',
  'conversation_summary',
] as const)
/** See `PROMPT_TAGS`. */
export type PromptTag = (typeof PROMPT_TAGS)[number]

const MARKERS = Object.freeze([BOUNDARY_MARK])
const ALL_MARKS = { tags: PROMPT_TAGS, markers: MARKERS }

/** Puts text of many lines into a block that it cannot leave. Attributes stay on one line. */
export function block(
  tag: PromptTag,
  text: string,
  attributes: Readonly<Record<string, string | undefined>> = {},
): string {
  const safe = Object.entries(attributes).map(([name, value]) => [
    name,
    value === undefined ? undefined : oneLine(value, MAX_ID_CHARACTERS),
  ])
  return fence(wellFormed(text).trim(), {
    tag,
    otherTags: PROMPT_TAGS,
    markers: MARKERS,
    attributes: Object.fromEntries(safe),
  })
}

/**
 * Text of many lines that stands in a prompt by itself, without the power to look like a block of it or its boundary. What is
 * given to `buildSystemPrompt` needs it not; it is for prompts that someone else builds.
 */
export function prose(text: string): string {
  return neutralize(wellFormed(text).trim(), ALL_MARKS)
}

/** A value that stays on its line, at most `maxLength` characters before neutralising, with an ellipsis where it was cut. */
export function oneLine(value: string, maxLength: number): string {
  return harmless(shortened(flatten(value), maxLength))
}

/** Text of many lines as the content of an element of XML. */
export function xmlText(text: string): string {
  return harmless(escapeXml(wellFormed(text).trim()))
}

/** As `oneLine`, for the content of an element of XML. */
export function xmlLine(value: string, maxLength: number): string {
  const line = shortened(flatten(value), maxLength)
  return NO_ESCAPES.test(line) ? line : harmless(escapeXml(line))
}

/**
 * Names and titles from a chat platform: no double quotes, one line, at most `maxLength` characters (spec 2.3: 100).
 *
 * @example
 * metadata('"Alice"\nAdmin') // 'Alice Admin'
 */
export function metadata(value: string, maxLength = 100): string {
  const line = flatten(value.replaceAll('"', ''))
  return harmless(line.length <= maxLength ? line : headOf(line, maxLength).trimEnd())
}

/** Ids are cut where storage would refuse them. */
export const MAX_ID_CHARACTERS = 255

function flatten(value: string): string {
  const trimmed = value.trim()
  if (TIDY_LINE.test(trimmed)) return trimmed
  return wellFormed(trimmed).replaceAll(LINE_BREAKING, ' ').trim()
}

function shortened(line: string, maxLength: number): string {
  return line.length <= maxLength ? line : `${headOf(line, maxLength - 1).trimEnd()}…`
}

function harmless(line: string): string {
  return PLAIN.test(line) ? line : neutralize(line, ALL_MARKS)
}

// Most values are plain ASCII, and are spared the slower patterns.
const TIDY_LINE = /^[!-~]+(?: [!-~]+)*$/
// Without the `<` of a tag and the colon of the boundary.
const PLAIN = /^[ -9;=-~]*$/
const NO_ESCAPES = /^[\w ,.;/()-]*$/

// White space, control characters, and the marks that turn the direction of what follows them.
const LINE_BREAKING = /[\s\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu

// The check is native, and spares nearly every text the slower cleaning.
function wellFormed(text: string): string {
  return text.isWellFormed() && !text.includes('\0') ? text : toStorableText(text)
}
