import { stemmer } from 'stemmer'
import { foldLetters } from './fold-letters.js'
import { normalizeForSearch } from './normalize-text.js'
import { STOP_WORDS } from './stop-words.js'
import { scanWords, type WordVisitor } from './word-scanner.js'

/**
 * Changes whenever a text gives other terms. Store it beside what was indexed: terms of two versions must not be compared.
 */
export const ANALYZER_VERSION = 2

/**
 * What a text says, as terms in order and with repetitions; to compare texts with each other, as for a summary. For a search,
 * index `termFrequencies` and ask for `queryTerms`.
 *
 * Words are compared without case, accents (of Latin and Greek letters), vowel marks (Arabic, Hebrew) and English endings;
 * English stop words are left out, wherever they stand. Chinese, Japanese, Korean, Thai, Lao, Khmer and Burmese give
 * overlapping pairs of characters, and a character that stands alone.
 *
 * @example
 * analyze("Caroline's cafés were running") // ['carolin', 'cafe', 'run']
 */
export function analyze(text: string): string[] {
  const terms: string[] = []
  const add = (term: string): void => void terms.push(term)
  visitTerms(text, add)
  return terms
}

/**
 * The terms to ask an index for: those of `analyze`, and emoji. A text that holds the words of the query has them all among
 * its `termFrequencies`.
 *
 * Of a script without blanks a single character is asked for only where it stands alone: in a longer run it says less than
 * the pairs, and would drown them. A query of nothing but stop words gives no term.
 *
 * @example
 * queryTerms('买 🎉') // ['买', '🎉']
 */
export function queryTerms(text: string): string[] {
  const terms: string[] = []
  const add = (term: string): void => void terms.push(term)
  visitTerms(text, add, { emoji: add })
  return terms
}

/**
 * What a text is indexed by: how often each of its `queryTerms` occurs, and each single character of the scripts without
 * blanks, so that a query of one character finds it in the midst of others. The sum of the counts is the length that BM25
 * asks for.
 *
 * A single character counts once for a text, however often its pairs hold it. Counted each time, it would double the length,
 * and a Chinese text would stand behind an English one that says as much; so the length grows by the different ones only.
 */
export function termFrequencies(text: string): Map<string, number> {
  const frequencies = new Map<string, number>()
  const characters = new Set<string>()
  const count = (term: string): void => void frequencies.set(term, (frequencies.get(term) ?? 0) + 1)
  visitTerms(text, count, {
    emoji: count,
    character: (character) => void characters.add(character),
  })
  for (const character of characters) {
    if (!frequencies.has(character)) frequencies.set(character, 1)
  }
  return frequencies
}

function visitTerms(
  text: string,
  visit: (term: string) => void,
  others: Pick<WordVisitor, 'character' | 'emoji'> = {},
): void {
  const visitWord = (word: string): void => {
    const folded = foldLetters(word)
    if (folded === '' || STOP_WORDS.has(folded)) return
    visit(ENGLISH_LETTERS.test(folded) ? stem(folded) : folded)
  }
  scanWords(normalizeForSearch(text), {
    ...others,
    word(word, apostrophes) {
      if (apostrophes) for (const part of splitAtApostrophes(word)) visitWord(part)
      else visitWord(word)
    },
    bigram: visit,
  })
}

/**
 * "caroline's" → caroline, "they're" → they, "don't" → nothing (auxiliaries are stop words). Others give the joined form and its longer
 * parts, so that "o'brien" is found as obrien, and "l'homme" as homme.
 */
function splitAtApostrophes(word: string): string[] {
  const plain = word.replaceAll(APOSTROPHES, "'")
  if (plain.endsWith("n't")) return []
  const base = plain.replace(ENGLISH_CLITIC, '')
  if (!base.includes("'")) return [base]
  return [base.replaceAll("'", ''), ...base.split("'").filter((part) => part.length > 1)]
}

const APOSTROPHES = /[‘’‛ʼ]/g
const ENGLISH_CLITIC = /'(?:s|re|ve|ll|d|m)$/
const ENGLISH_LETTERS = /^[a-z]+$/

const MAX_REMEMBERED_STEMS = 20_000
const stems = new Map<string, string>()

// A language uses few words often, and stemming costs more than all the rest.
function stem(word: string): string {
  const known = stems.get(word)
  if (known !== undefined) return known
  const found = stemmer(word)
  if (stems.size >= MAX_REMEMBERED_STEMS) stems.clear()
  stems.set(word, found)
  return found
}
