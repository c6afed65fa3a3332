/** What a character means to the word scanner. */
export type CharacterClass =
  | typeof SEPARATOR
  | typeof WORD
  | typeof LATIN
  | typeof UNSEGMENTED
  | typeof MARK
  | typeof APOSTROPHE
  | typeof EMOJI

/** Ends a word: blanks, punctuation, symbols. */
export const SEPARATOR = 1
/** A letter or number that is not Latin and whose script puts blanks between words. */
export const WORD = 2
/** A letter of the Latin script. */
export const LATIN = 3
/** A letter of a script that is written without blanks, or whose words carry particles (Hangul). */
export const UNSEGMENTED = 4
/** A combining mark: belongs to the character before it. */
export const MARK = 5
/** An apostrophe: inside a word it joins, elsewhere it separates. */
export const APOSTROPHE = 6
/** A pictograph, or a letter of a flag. */
export const EMOJI = 7

/** The class of a code point. */
export function classOf(codePoint: number): CharacterClass {
  // Above the ideographic planes are only tags, variation selectors and private use.
  if (codePoint >= TABLE_SIZE) return SEPARATOR
  const known = table[codePoint] as CharacterClass | 0
  if (known !== 0) return known
  const found = classify(codePoint)
  table[codePoint] = found
  return found
}

const TABLE_SIZE = 0x3_40_00

// Filled as characters are met: one regular expression per character of a text would take most of the time.
const table = new Uint8Array(TABLE_SIZE)

function classify(codePoint: number): CharacterClass {
  const character = String.fromCodePoint(codePoint)
  if (APOSTROPHES.test(character)) return APOSTROPHE
  if (UNSEGMENTED_LETTER.test(character)) return UNSEGMENTED
  if (LATIN_LETTER.test(character)) return LATIN
  if (LETTER_OR_NUMBER.test(character)) return WORD
  if (COMBINING_MARK.test(character)) return MARK
  if (EMOJI_BASE.test(character)) return EMOJI
  return SEPARATOR
}

// Modifier letter apostrophe (U+02BC) is a letter to Unicode, and an apostrophe to whoever typed it.
const APOSTROPHES = /['‘’‛ʼ]/
// `scx` rather than `sc`: the long-vowel mark of kana belongs to no single script.
const UNSEGMENTED_LETTER =
  /(?=[\p{L}\p{N}])[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}](?<!\p{Nd})/u
const LATIN_LETTER = /(?=\p{L})\p{sc=Latin}/u
const LETTER_OR_NUMBER = /[\p{L}\p{N}]/u
const COMBINING_MARK = /\p{M}/u
// The signs of copyright and trade marks stand beside names, and say nothing about them.
const EMOJI_BASE = /(?![©®])[\p{Extended_Pictographic}\p{Regional_Indicator}]/u
