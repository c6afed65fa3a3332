import { headOf } from '@loam/text'
import type { SearchResult } from '../memory.js'

/** Of one result; the rest is read by its path. */
const MAX_TEXT_LENGTH = 1_500
// Control characters, line ends that are none, and the marks that turn the direction of what follows them. Blanks stay, since a
// path may have them.
const LINE_BREAKING = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]+/gu
const LINE_ENDS = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g

/**
 * A result as a model reads it: where it is from in one line, below it the text, indented. So nothing that somebody said, and no
 * name that somebody gave, can look like another result.
 */
export function describeResult(result: SearchResult, index: number): string {
  const { source, score, text, createdAt, path, startLine, session = '' } = result
  const line = startLine === undefined ? '' : `:${startLine}`
  const place = path === undefined ? session : `${path}${line}`
  const day = createdAt.toISOString().slice(0, 10)
  const shown = text.length > MAX_TEXT_LENGTH ? `${headOf(text, MAX_TEXT_LENGTH).trimEnd()}…` : text
  const lines = shown.trim().split(LINE_ENDS)
  return [
    `[${index + 1}] ${source} ${place.replaceAll(LINE_BREAKING, ' ')} ${day} (${score.toFixed(2)})`,
    ...lines.map((each) => (each.trim() === '' ? '' : `  ${each}`)),
  ].join('\n')
}
