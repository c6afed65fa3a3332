import { headOf, splitSentences } from '@loam/text'

/** Shorter sentences are greetings and exclamations (spec 05, 6.2). */
const MIN_SENTENCE_LENGTH = 20
/** About 50 tokens (spec 05, 6.2). */
const MAX_ABSTRACT_LENGTH = 200

/**
 * The short form of a summary: its first sentence of at least 20 characters, else its beginning; beyond 200
 * characters cut, with three dots.
 *
 * @example
 * abstractOf('Hi. We decided to move billing to Stripe in May. More.') // 'We decided to move billing to Stripe in May.'
 */
export function abstractOf(summary: string): string {
  const sentence = splitSentences(summary)
    .map(toPlainLine)
    .find((line) => line.length >= MIN_SENTENCE_LENGTH)
  return shorten(sentence ?? toPlainLine(summary))
}

/** Cuts a text to the length of an abstract. */
export function shorten(text: string): string {
  if (text.length <= MAX_ABSTRACT_LENGTH) return text
  return `${headOf(text, MAX_ABSTRACT_LENGTH).trimEnd()}...`
}

/** One line, without the marks that Markdown puts before headings, items and quotations. */
function toPlainLine(text: string): string {
  return text
    .replace(/^\s*(?:#{1,6}\s+|[-*+•]\s+|>\s*)+/, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
