import {
  APOSTROPHE,
  classOf,
  EMOJI,
  LATIN,
  MARK,
  SEPARATOR,
  UNSEGMENTED,
} from './character-class.js'
import { scanEmoji } from './emoji-scanner.js'
import { headOf } from './slice-text.js'

/** A word of a script with blanks is cut at this many code points: longer ones are blobs, not words. */
export const MAX_TERM_LENGTH = 64

/** What the scanner calls for the parts of a text, in their order. */
export interface WordVisitor {
  /** A word as it stands in the text; `apostrophes` says whether one is inside it. */
  word(word: string, apostrophes: boolean): void
  /** A term of a script that has no blanks: two characters that stand together, or one that stands alone. */
  bigram(term: string): void
  /** Each character that is part of pairs. Left out, only pairs are told. */
  character?(term: string): void
  /** An emoji, however many code points it takes. Left out, emoji only separate. */
  emoji?(term: string): void
}

/**
 * Finds the words of a text in one pass.
 *
 * A hand-written scan, since a regular expression over a long run of letters needs a stack as long as the run.
 * Marks after Latin letters are left out; other marks stay with their letter.
 */
export function scanWords(text: string, visitor: WordVisitor): void {
  let position = 0
  while (position < text.length) {
    const codePoint = text.codePointAt(position)!
    const kind = classOf(codePoint)
    if (kind === UNSEGMENTED) position = scanUnsegmented(text, position, visitor)
    else if (kind === EMOJI) position = scanEmoji(text, position, visitor)
    else if (kind === SEPARATOR || kind === MARK || kind === APOSTROPHE)
      position += width(codePoint)
    else position = scanWord(text, position, visitor)
  }
}

function scanWord(text: string, start: number, visitor: WordVisitor): number {
  let head = ''
  let keptFrom = start
  let position = start
  let length = 0
  let lastLetter = 0
  let apostrophes = false
  while (position < text.length) {
    const codePoint = text.codePointAt(position)!
    const kind = classOf(codePoint)
    const next = position + width(codePoint)
    if (kind === SEPARATOR || kind === UNSEGMENTED || kind === EMOJI) break
    if (kind === APOSTROPHE) {
      if (!startsWord(text, next)) break
      apostrophes ||= length < MAX_TERM_LENGTH
    }
    const kept = kind !== MARK || lastLetter !== LATIN
    if (kind !== MARK) lastLetter = kind
    if (!kept || length >= MAX_TERM_LENGTH) {
      if (keptFrom < position) head += text.slice(keptFrom, position)
      keptFrom = next
    } else {
      length += 1
    }
    position = next
  }
  visitor.word(head + text.slice(keptFrom, position), apostrophes)
  return position
}

function scanUnsegmented(text: string, start: number, visitor: WordVisitor): number {
  let previous = start
  let position = endOfCluster(text, start)
  const first = position
  while (position < text.length && classOf(text.codePointAt(position)!) === UNSEGMENTED) {
    const end = endOfCluster(text, position)
    visitor.bigram(
      end - previous <= MAX_BIGRAM_LENGTH
        ? text.slice(previous, end)
        : cluster(text, previous, position) + cluster(text, position, end),
    )
    visitor.character?.(cluster(text, previous, position))
    previous = position
    position = end
  }
  if (position === first) visitor.bigram(cluster(text, start, position))
  else visitor.character?.(cluster(text, previous, position))
  return position
}

// A Thai or Khmer letter has at most a handful of marks; what is longer is decoration.
const MAX_CLUSTER_LENGTH = 8
const MAX_BIGRAM_LENGTH = 2 * MAX_CLUSTER_LENGTH

function cluster(text: string, start: number, end: number): string {
  const whole = text.slice(start, end)
  return whole.length <= MAX_CLUSTER_LENGTH ? whole : headOf(whole, MAX_CLUSTER_LENGTH)
}

function endOfCluster(text: string, start: number): number {
  let position = start + width(text.codePointAt(start)!)
  while (position < text.length) {
    const codePoint = text.codePointAt(position)!
    if (classOf(codePoint) !== MARK) break
    position += width(codePoint)
  }
  return position
}

const NO_WORD: ReadonlySet<number> = new Set([SEPARATOR, MARK, APOSTROPHE, UNSEGMENTED, EMOJI])

function startsWord(text: string, position: number): boolean {
  const codePoint = text.codePointAt(position)
  if (codePoint === undefined) return false
  return !NO_WORD.has(classOf(codePoint))
}

function width(codePoint: number): 1 | 2 {
  return codePoint > 0xff_ff ? 2 : 1
}
