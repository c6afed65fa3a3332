import { skipCodePoints } from './code-points.js'

const SENTENCE_END = /[.!?…؟।]["'”’)\]]*\s+|[。！？][”’」』）]*\s*/gu
const WORD_END = /\s+/gu
/** What belongs to the character before it: marks (variation selectors among them) and joiners. */
const CONTINUES_CHARACTER = /^(?:\p{M}|\u200D)/u
const MAX_CONTINUATIONS = 16

/**
 * Cuts a line into pieces of at most `maxLength` code points: behind a sentence if one ends in the second half of the piece,
 * else behind a word, else between two characters (spec 04, 5.2). The pieces joined are the line.
 */
export function splitLongLine(line: string, maxLength: number): readonly string[] {
  const pieces: string[] = []
  let start = 0
  for (;;) {
    const end = skipCodePoints(line, start, maxLength)
    if (end >= line.length) break
    const piece = line.slice(start, end)
    const cut =
      lastEnd(piece, SENTENCE_END, piece.length / 2) ??
      lastEnd(piece, WORD_END, 0) ??
      characterEnd(line, start, end)
    pieces.push(line.slice(start, start + cut))
    start += cut
  }
  pieces.push(line.slice(start))
  return pieces
}

function lastEnd(text: string, pattern: RegExp, least: number): number | undefined {
  let end: number | undefined
  for (const match of text.matchAll(pattern)) {
    const candidate = match.index + match[0].length
    if (candidate > least) end = candidate
  }
  return end
}

function characterEnd(line: string, start: number, end: number): number {
  let cut = end
  for (let steps = 0; steps < MAX_CONTINUATIONS; steps += 1) {
    const follows = CONTINUES_CHARACTER.test(line.slice(cut, cut + 2))
    if (!follows && line[cut - 1] !== '\u200d') return cut - start
    cut -= isLowSurrogate(line.charCodeAt(cut - 1)) ? 2 : 1
    if (cut <= start) break
  }
  return end - start
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
