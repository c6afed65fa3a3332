import { MAX_TERM_LENGTH } from './word-scanner.js'

/**
 * Takes off a word what its script leaves to the writer: accents of Latin and Greek letters, the final form of sigma, the
 * dots of ё and stress marks in Cyrillic, vowel marks and elongation in Arabic, points in Hebrew.
 *
 * Marks that make another letter stay, such as in й and in all scripts of India. The result may be empty.
 */
export function foldLetters(word: string): string {
  if (!NON_ASCII.test(word)) return word
  const folded = word
    .normalize('NFD')
    .replaceAll(ACCENTED, '$1')
    .normalize('NFC')
    .replaceAll(OPTIONAL_MARKS, '')
    .replaceAll(LETTER_FORMS, (letter) => LETTERS[letter] ?? letter)
  return folded.length <= MAX_TERM_LENGTH
    ? folded
    : Array.from(folded).slice(0, MAX_TERM_LENGTH).join('')
}

// oxlint-disable-next-line no-control-regex
const NON_ASCII = /[^\0-\x7F]/
const ACCENTED = /([\p{sc=Latin}\p{sc=Greek}])\p{M}+/gu
// Composed letters are whole here, so that an acute behind a Cyrillic letter is stress (ѓ and ќ have theirs inside). The hamza
// and madda of Arabic make other letters, and stay.
const OPTIONAL_MARKS =
  /\u0301(?<=\p{sc=Cyrillic}\u0301)|\u0640|[\u064B-\u0652\u0670]|[\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7]/gu
const LETTER_FORMS = /[ßæœøłđðþħıŋςё]/g
// Latin letters that Unicode does not decompose, as they are spelled on keyboards that lack them; and letters that many write otherwise.
const LETTERS: Readonly<Record<string, string>> = {
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
  ς: 'σ',
  ё: 'е',
}
