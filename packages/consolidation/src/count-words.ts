const BEYOND_ASCII = /[^\0-\x7f]/

/** Letters and digits, with what stands inside a word or a number: "don't", "3.14", "snake_case" (UAX 29, 4.1). */
const ASCII_WORD =
  /_*[A-Za-z0-9][A-Za-z0-9_]*(?:(?:(?<=[A-Za-z])[.':](?=[A-Za-z])|(?<=[0-9])[.,;'](?=[0-9]))[A-Za-z0-9_]+)*/g

let segmenter: Intl.Segmenter | undefined

/** Words of a text, in any script. */
export function countWords(text: string): number {
  // The same by a pattern, in a tenth of the time.
  if (!BEYOND_ASCII.test(text)) return text.match(ASCII_WORD)?.length ?? 0
  segmenter ??= new Intl.Segmenter('und', { granularity: 'word' })
  let count = 0
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike) count += 1
  return count
}
