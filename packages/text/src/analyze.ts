import { stemmer } from 'stemmer'
import { normalizeForSearch } from './normalize-text.js'
import { STOP_WORDS } from './stop-words.js'
import { MAX_TERM_LENGTH, scanWords } from './word-scanner.js'

/**
 * Changes whenever `analyze` gives other terms for the same text. Store it beside what was indexed: terms of two
 * versions must not be compared.
 */
export const ANALYZER_VERSION = 1

/**
 * The search terms of a text, in order and with repetitions; for what is indexed and for what is asked alike.
 *
 * Words are compared without case, accents (of Latin letters) and English endings; English stop words are left out;
 * Chinese, Japanese, Korean, Thai, Lao, Khmer and Burmese give overlapping pairs of characters.
 *
 * @example
 * analyze("Caroline's cafés were running") // ['carolin', 'cafe', 'run']
 */
export function analyze(text: string): string[] {
  const terms: string[] = []
  visitTerms(text, (term) => terms.push(term))
  return terms
}

/** How often each term of `analyze` occurs. The sum of the counts is the length that BM25 asks for. */
export function termFrequencies(text: string): Map<string, number> {
  const frequencies = new Map<string, number>()
  visitTerms(text, (term) => frequencies.set(term, (frequencies.get(term) ?? 0) + 1))
  return frequencies
}

function visitTerms(text: string, visit: (term: string) => void): void {
  const visitWord = (word: string): void => {
    const folded = foldLatin(word)
    if (!STOP_WORDS.has(folded)) visit(ENGLISH_LETTERS.test(folded) ? stem(folded) : folded)
  }
  scanWords(normalizeForSearch(text), {
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

/** Takes the accents off Latin letters, and leaves every other letter as it is. */
function foldLatin(word: string): string {
  if (!NON_ASCII.test(word)) return word
  const folded = word
    .normalize('NFD')
    .replaceAll(ACCENTED_LATIN, '$1')
    .normalize('NFC')
    .replaceAll(UNDECOMPOSED_LATIN, (letter) => UNDECOMPOSED[letter] ?? letter)
  return folded.length <= MAX_TERM_LENGTH
    ? folded
    : Array.from(folded).slice(0, MAX_TERM_LENGTH).join('')
}

// oxlint-disable-next-line no-control-regex
const NON_ASCII = /[^\0-\x7F]/
const ACCENTED_LATIN = /(\p{sc=Latin})\p{M}+/gu
const UNDECOMPOSED_LATIN = /[ßæœøłđðþħıŋ]/g
// Letters that Unicode does not decompose, as they are spelled on keyboards that lack them.
const UNDECOMPOSED: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
}

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
