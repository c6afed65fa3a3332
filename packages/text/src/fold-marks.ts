/**
 * A text as a lenient reader takes it: compatibility forms as the plain characters, small letters, no blanks, accents or
 * invisible characters, and one form of what looks like `<` and `/`. Folding a whole text gives the same as folding its
 * characters one by one.
 */
export function foldMarks(text: string): string {
  // Most texts, which need no tables of Unicode.
  if (ASCII.test(text)) {
    return text.replaceAll(ASCII_IGNORED, '').replaceAll('\\', '/').toLowerCase()
  }
  return text
    .normalize('NFKD')
    .replaceAll(IGNORED, '')
    .replaceAll(OPENERS, '<')
    .replaceAll(SLASHES, '/')
    .toLowerCase()
}

/** A folded text, and for each of its units the character of the whole text that it comes from. */
export interface FoldedText {
  readonly folded: string
  readonly startAt: (index: number) => number
  readonly endAt: (index: number) => number
}

/** Folds a text so that what is found in it can be found again in the whole. */
export function foldWithPlaces(text: string): FoldedText {
  const known = new Map<string, string>()
  const units: string[] = []
  const starts: number[] = []
  const ends: number[] = []
  let place = 0
  for (const character of text) {
    let folded = known.get(character)
    if (folded === undefined) {
      folded = foldMarks(character)
      known.set(character, folded)
    }
    for (let index = 0; index < folded.length; index += 1) {
      starts.push(place)
      ends.push(place + character.length)
    }
    units.push(folded)
    place += character.length
  }
  return {
    folded: units.join(''),
    startAt: (index) => starts[index] ?? text.length,
    endAt: (index) => ends[index] ?? text.length,
  }
}

// Also what no version of Unicode has assigned yet: some readers show it, others leave it out.
const IGNORED = /[\s\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]+/gu

/** What looks like `<` and is none by its compatibility form. */
const OPENERS = /[‹˂ᐸ〈⟨⧼❬❮❰]/g

/** What looks like `/`, or does its work for a lenient reader. */
const SLASHES = /[\\∕⁄⧸╱]/g

// Control characters are what is looked for.
// eslint-disable-next-line no-control-regex
const ASCII = /^[\0-\x7f]*$/
// eslint-disable-next-line no-control-regex
const ASCII_IGNORED = /[\0- \x7f]+/g
