import { InvalidInputError } from '@loam/core'
import { foldMarks, foldWithPlaces } from './fold-marks.js'

/** Which marks of a prompt a text must not contain. */
export interface NeutralizeOptions {
  /** Tags that the text may neither open nor close. */
  readonly tags: readonly string[]
  /** Other marks in ASCII, such as a prompt's cache boundary, of which no copy may remain. Default none. */
  readonly markers?: readonly string[] | undefined
}

/**
 * Takes the power out of tags and marks inside a text: the `<` of each such tag becomes `&lt;`, each mark a placeholder.
 * All else stays readable. For values that stand in a prompt without a block of their own.
 *
 * Tags and marks are found in whatever form a lenient reader might see one: any case, full-width and other compatibility
 * forms, blanks and invisible characters in between. The time it takes grows with the length of the text and no faster.
 *
 * @throws InvalidInputError for a tag or marker that cannot be used.
 */
export function neutralize(text: string, { tags, markers = [] }: NeutralizeOptions): string {
  const names = folded(tags, checkTag)
  const marks = folded(markers, checkMarker)
  // Nearly every text has none of them, and is not looked at character by character.
  const plain = foldMarks(text)
  const isPowerless =
    opensTag(plain, names, plain.indexOf('<')) === -1 &&
    marks.every((mark) => !plain.includes(mark))
  return isPowerless ? text : replaced(text, spansIn(text, names, marks))
}

/** A part of a text, and what is to stand in its place. */
interface Span {
  readonly start: number
  readonly end: number
  readonly by: string
}

const PLACEHOLDER = '[removed]'
const ESCAPED = '&lt;'

function spansIn(
  text: string,
  names: readonly string[],
  marks: readonly string[],
): readonly Span[] {
  const whole = foldWithPlaces(text)
  const spans: Span[] = []
  for (const mark of marks) {
    let at = whole.folded.indexOf(mark)
    while (at !== -1) {
      const end = at + mark.length
      spans.push({ start: whole.startAt(at), end: whole.endAt(end - 1), by: PLACEHOLDER })
      at = whole.folded.indexOf(mark, end)
    }
  }
  let at = opensTag(whole.folded, names, whole.folded.indexOf('<'))
  while (at !== -1) {
    spans.push({ start: whole.startAt(at), end: whole.endAt(at), by: ESCAPED })
    at = opensTag(whole.folded, names, whole.folded.indexOf('<', at + 1))
  }
  return spans.toSorted((one, other) => one.start - other.start)
}

/** Where the first tag begins, from a `<` on; -1 when none does. */
function opensTag(text: string, names: readonly string[], from: number): number {
  for (let at = from; at !== -1; at = text.indexOf('<', at + 1)) {
    let name = at + 1
    while (text[name] === '/') name += 1
    if (names.some((known) => text.startsWith(known, name))) return at
  }
  return -1
}

function replaced(text: string, spans: readonly Span[]): string {
  const parts: string[] = []
  let from = 0
  for (const { start, end, by } of spans) {
    // A part of what is gone already.
    if (start < from) {
      if (end > from) from = end
      continue
    }
    parts.push(text.slice(from, start), by)
    from = end
  }
  return parts.join('') + text.slice(from)
}

/** Only a frozen list cannot change behind what was made of it. */
const known = new WeakMap<readonly string[], readonly string[]>()

function folded(marks: readonly string[], check: (mark: string) => void): readonly string[] {
  const before = known.get(marks)
  if (before !== undefined) return before
  for (const mark of marks) check(mark)
  const made = marks.map(foldMarks)
  if (Object.isFrozen(marks)) known.set(marks, made)
  return made
}

const NAME = /^[A-Za-z_][\w.-]{0,63}$/

/** @throws InvalidInputError for what cannot be the name of a tag or of an attribute. */
export function checkMarkName(name: string, what: 'tag' | 'attribute'): void {
  if (NAME.test(name)) return
  throw new InvalidInputError({
    message: `"${name}" cannot be the name of a${what === 'attribute' ? 'n' : ''} ${what}. Begin with a letter, and use letters, digits, "_", "-" and ".".`,
  })
}

function checkTag(name: string): void {
  checkMarkName(name, 'tag')
}

const MIN_MARKER_LENGTH = 4

function checkMarker(marker: string): void {
  const mark = foldMarks(marker)
  const isUsable =
    mark.length >= MIN_MARKER_LENGTH &&
    /^[ -~]+$/.test(marker) &&
    ![PLACEHOLDER, ESCAPED].some((inserted) => overlap(mark, inserted))
  if (isUsable) return
  throw new InvalidInputError({
    message: `"${marker}" cannot be a marker. Choose one of ${MIN_MARKER_LENGTH} ASCII characters or more that neither holds, begins nor ends as a part of "${PLACEHOLDER}" or "${ESCAPED}" does.`,
  })
}

/** Whether what is put in could be a part of a mark again, together with the text around it. */
function overlap(mark: string, inserted: string): boolean {
  if (mark.includes(inserted) || inserted.includes(mark)) return true
  return Array.from(mark, (_, index) => index).some(
    (index) =>
      index > 0 &&
      (inserted.endsWith(mark.slice(0, index)) || inserted.startsWith(mark.slice(index))),
  )
}
