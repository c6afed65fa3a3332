/**
 * The sentences of a text, trimmed, in order; a line break always ends one.
 *
 * Knows the full stops of Chinese, Japanese, Hindi, Arabic and others. A point ends no sentence after a title or
 * an abbreviation ("Dr. Smith", "e.g. this"), inside numbers ("v1. 2", "3.5"), or before a lower-case word.
 */
export function splitSentences(text: string): string[] {
  const sentences: string[] = []
  let start = 0
  const endAt = (end: number): void => {
    const sentence = text.slice(start, end).trim()
    if (sentence !== '') sentences.push(sentence)
    start = end
  }
  for (let position = 0; position < text.length; position += 1) {
    const character = text[position]!
    if (LINE_BREAKS.has(character)) {
      endAt(position)
    } else if (FULL_STOPS.has(character)) {
      position = endOfClosers(text, position + 1) - 1
      endAt(position + 1)
    } else if (STOPS.has(character)) {
      const end = endOfClosers(text, position + 1)
      if (endsSentence(text, start, position, end)) endAt(end)
      position = end - 1
    }
  }
  endAt(text.length)
  return sentences
}

const LINE_BREAKS = new Set('\n\r\u2028\u2029')
/** Need a blank behind them to end a sentence. */
const STOPS = new Set('.!?…')
/** End a sentence wherever they stand. */
const FULL_STOPS = new Set('。！？｡।॥؟۔։።។။')
const CLOSERS = new Set(`"'”’»›)]}」』）】》〉］｝.!?…。！？｡`)

function endOfClosers(text: string, from: number): number {
  let position = from
  while (position < text.length && CLOSERS.has(text[position]!)) position += 1
  return position
}

function endsSentence(text: string, start: number, stop: number, end: number): boolean {
  if (end >= text.length) return true
  if (!/\s/.test(text[end]!)) return false
  if (/[!?]/.test(text.slice(stop, end))) return true
  const next = /\S+/.exec(text.slice(end, end + LOOK_AROUND))?.[0] ?? ''
  // Openers such as quotes and brackets say nothing about what follows.
  const first = next.replace(/^[^\p{L}\p{N}]+/u, '').slice(0, 2)
  if (/^\p{Ll}/u.test(first)) return false
  if (end > stop + 1) return true
  const before = text.slice(Math.max(start, stop - LOOK_AROUND), stop)
  const word = /[\p{L}\p{N}.]+$/u.exec(before)?.[0] ?? ''
  return !continues(word, first, before.trim() === word)
}

/** Longer than any abbreviation; keeps the scan linear where there are no blanks. */
const LOOK_AROUND = 32

/** Whether the point behind `word` belongs to it. */
function continues(word: string, next: string, opensSentence: boolean): boolean {
  const lower = word.toLowerCase()
  if (ALWAYS_CONTINUE.has(lower)) return true
  const numberNext = /^\p{N}/u.test(next)
  if (numberNext && (BEFORE_NUMBERS.has(lower) || /^v?\d{1,2}$/.test(lower))) return true
  if (/^v\d[\d.]*$/.test(lower) && numberNext) return true
  if (/^\d{1,3}$/.test(word) && opensSentence) return true // a numbered list
  // Initials ("J. Smith") and acronyms ("the U.S. Senate"); "I" is a word.
  return /^\p{Lu}(?:\.\p{Lu})*$/u.test(word) && word !== 'I'
}

const ALWAYS_CONTINUE = new Set(
  'mr mrs ms mx dr prof st rev hon sr sra gen col maj capt lt sgt sen rep gov pres e.g i.e eg ie cf vs viz approx ca fig eq al z.b d.h bzw p.ej'.split(
    ' ',
  ),
)
const BEFORE_NUMBERS = new Set(
  'no nr vol ch sec art p pp par jan feb mar apr jun jul aug sep sept oct nov dec ver tel ext'.split(
    ' ',
  ),
)
