import type { Span } from './redaction-rules.js'

/** Private key blocks in PEM and PGP armour, also where the end is cut off. */
export function* findPrivateKeys(text: string): Generator<Span> {
  let position = 0
  // The next end mark is searched once and kept, so that many beginnings without an end stay cheap.
  let endMark: Span | undefined
  for (const { index, 0: begin } of text.matchAll(BEGIN)) {
    if (index < position) continue
    const bodyStart = index + begin.length
    if (endMark === undefined || endMark.start < bodyStart) endMark = findEnd(text, bodyStart)
    const closed = endMark.end > endMark.start && endMark.end - index <= MAX_BLOCK_LENGTH
    position = closed ? endMark.end : endOfKeyLines(text, bodyStart)
    yield { start: index, end: position }
  }
}

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g
const END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g
const MAX_BLOCK_LENGTH = 100_000
const KEY_LINE = /(?:\s|\\[nr]){1,8}[A-Za-z0-9+/=]{8,4096}/y

function findEnd(text: string, from: number): Span {
  END.lastIndex = from
  const found = END.exec(text)
  if (found === null) return { start: text.length, end: text.length }
  return { start: found.index, end: found.index + found[0].length }
}

function endOfKeyLines(text: string, from: number): number {
  let end = from
  KEY_LINE.lastIndex = from
  while (KEY_LINE.test(text)) end = KEY_LINE.lastIndex
  return end
}
