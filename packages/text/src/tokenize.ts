import { scanWords } from './word-scanner.js'
import { shortenMarkRuns } from './normalize-text.js'

/**
 * The plain tokens of a text: lower case, everything but letters and numbers separates, single characters are dropped.
 * Scripts without blanks give overlapping pairs.
 *
 * Unlike `analyze` it knows no language: nothing is stemmed, folded or left out as a stop word.
 *
 * @example
 * tokenize('PDF: a b tool_name v2') // ['pdf', 'tool', 'name', 'v2']
 */
export function tokenize(text: string): string[] {
  const tokens: string[] = []
  const add = (token: string): void => {
    if (isLonger(token)) tokens.push(token)
  }
  scanWords(shortenMarkRuns(text).normalize('NFC').toLowerCase().normalize('NFC'), {
    word(word, apostrophes) {
      if (apostrophes) for (const part of word.split(APOSTROPHES)) add(part)
      else add(word)
    },
    bigram: add,
  })
  return tokens
}

function isLonger(token: string): boolean {
  return token.length > 2 || (token.length === 2 && token.codePointAt(0)! <= 0xff_ff)
}

const APOSTROPHES = /['‘’‛ʼ]/
