/**
 * `text.slice(start, end)` that splits neither a surrogate pair nor, where it can tell cheaply, a character made of
 * several code points (accents, flags, emoji families).
 *
 * Positions are UTF-16 units, as in `String.prototype.slice`; a position inside a character moves inwards, so that the
 * result is never longer than asked for.
 *
 * @example
 * sliceText('a👍b', 0, 2) // 'a'
 */
export function sliceText(text: string, start: number, end: number = text.length): string {
  const from = clampPosition(text, start)
  const to = clampPosition(text, end)
  if (from >= to) return ''
  const whole = text.slice(nextBoundary(text, from), previousBoundary(text, to))
  if (whole !== '' || nextBoundary(text, from) < previousBoundary(text, to)) return whole
  // One character fills the whole range and more: a part of it is better than nothing, and lets callers that cut piece by piece go on.
  const first = isInsidePair(text, from) ? from + 1 : from
  const last = isInsidePair(text, to) ? to - 1 : to
  return first < last ? text.slice(first, last) : ''
}

/** The beginning of a text, at most `maxLength` UTF-16 units long, without a broken character at its end. */
export function headOf(text: string, maxLength: number): string {
  return maxLength > 0 ? sliceText(text, 0, maxLength) : ''
}

/** The end of a text, at most `maxLength` UTF-16 units long, without a broken character at its start. */
export function tailOf(text: string, maxLength: number): string {
  return maxLength > 0 ? sliceText(text, Math.max(0, text.length - Math.floor(maxLength))) : ''
}

function clampPosition(text: string, position: number): number {
  if (Number.isNaN(position)) return 0
  const whole = Math.trunc(position)
  return Math.min(text.length, Math.max(0, whole < 0 ? text.length + whole : whole))
}

function nextBoundary(text: string, position: number): number {
  return characterAround(text, position)?.end ?? position
}

function previousBoundary(text: string, position: number): number {
  return characterAround(text, position)?.start ?? position
}

/** How far around a cut characters are looked at. A longer one is cut at a code point. */
const WINDOW = 64

let segmenter: Intl.Segmenter | undefined

/** The character that a cut at `position` would split, if it would split one. */
function characterAround(
  text: string,
  position: number,
): { readonly start: number; readonly end: number } | undefined {
  if (position <= 0 || position >= text.length) return undefined
  if (isPlain(text.charCodeAt(position - 1)) && isPlain(text.charCodeAt(position))) return undefined
  const pair = isInsidePair(text, position) ? { start: position - 1, end: position + 1 } : undefined
  let from = Math.max(0, position - WINDOW)
  if (isInsidePair(text, from)) from += 1
  let to = Math.min(text.length, position + WINDOW)
  if (isInsidePair(text, to)) to -= 1
  segmenter ??= new Intl.Segmenter('und', { granularity: 'grapheme' })
  const found = segmenter.segment(text.slice(from, to)).containing(position - from)
  if (found === undefined) return pair
  const start = from + found.index
  const end = start + found.segment.length
  if (start === position) return undefined
  const reachesEdge = (start === from && from > 0) || (end === to && to < text.length)
  return reachesEdge ? pair : { start, end }
}

// Below the combining marks nothing joins, but CR and LF.
function isPlain(unit: number): boolean {
  return unit < 0x3_00 && unit !== 0x0a
}

function isInsidePair(text: string, position: number): boolean {
  return isHighSurrogate(text.charCodeAt(position - 1)) && isLowSurrogate(text.charCodeAt(position))
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd8_00 && unit <= 0xdb_ff
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc_00 && unit <= 0xdf_ff
}
