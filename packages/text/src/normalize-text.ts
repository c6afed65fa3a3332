/**
 * The one spelling under which text is indexed and searched: NFKC, lower case, invisible characters left out.
 *
 * Linear in the length of the text, whatever stands in it.
 */
export function normalizeForSearch(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  // Two passes: lower-casing can leave a decomposed letter behind (İ), and compatibility forms of capitals (Ⓐ) have none.
  return shortenMarkRuns(text.replace(INVISIBLE, ''))
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFC')
}

/**
 * Cuts runs of combining marks to a length that normalisation can bear: it sorts each run by insertion, so that a run
 * of 100,000 marks takes seconds. Real text stays far below 30 (Unicode Standard Annex 15, stream-safe text format).
 */
export function shortenMarkRuns(text: string): string {
  let shortened = text
  while (LONG_MARK_RUN.test(shortened)) shortened = shortened.replaceAll(LONG_MARK_RUNS, '$1')
  return shortened
}

// oxlint-disable-next-line no-control-regex
const ASCII = /^[\0-\x7F]*$/
const LONG_MARK_RUN = /\p{M}{31}/u
const LONG_MARK_RUNS = /(\p{M}{30})\p{M}{1,1000}/gu
// Soft hyphens, joiners, direction marks, variation selectors; and the frame of 1️⃣, which leaves a number. What stays, by the
// lookbehind: the zero-width space, since it separates words; what joins emoji to one; the region in the flag of England.
const INVISIBLE =
  /[\p{Default_Ignorable_Code_Point}\u20E3](?<!\u200B|\p{Extended_Pictographic}[\p{Emoji_Modifier}\uFE0F]?\u200D(?=\p{Extended_Pictographic})|\u{1F3F4}[\u{E0020}-\u{E007E}]{0,6}[\u{E0020}-\u{E007F}])/gu
