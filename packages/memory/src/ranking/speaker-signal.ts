import { analyze } from '@loam/text'

/**
 * The one participant whom the query names, by any word of the name; undefined when it names none or several
 * (spec 09, "Found to help").
 */
export function namedSpeaker(query: string, speakers: Iterable<string>): string | undefined {
  const asked = new Set(wordsOf(query))
  const named = new Set<string>()
  for (const speaker of speakers) if (isNamed(speaker, query, asked)) named.add(speaker)
  const [only] = named
  return named.size === 1 ? only : undefined
}

function isNamed(speaker: string, query: string, asked: ReadonlySet<string>): boolean {
  const words = wordsOf(speaker)
  if (words.some((word) => UNSEGMENTED.test(word))) return query.includes(speaker)
  return words.some((word) => word.length > 1 && asked.has(word) && analyze(word).length > 0)
}

function wordsOf(text: string): readonly string[] {
  return text.normalize('NFKC').toLowerCase().match(WORD) ?? []
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu
/** Scripts in which a name stands among other words without a blank. */
const UNSEGMENTED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u
