import { analyze } from '@loam/text'
import type { DemoMessage, DemoQuestion } from './demo-question.js'

const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu
/** Scripts whose words are not parted by blanks: what the pattern finds there is whole clauses. */
const UNSEGMENTED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const MIN_WORD_LENGTH = 4
const WORDS_PER_QUESTION = 3

/**
 * Chooses questions about a conversation that nobody has written questions for: from each stretch of equal length, the
 * message that says the rarest things, asked for by its rarest words.
 */
export function chooseQuestions(
  messages: readonly DemoMessage[],
  count = 3,
): readonly DemoQuestion[] {
  const [first] = messages
  if (first === undefined) return []
  const own = messages.filter(({ userId, text }) => userId === first.userId && text.trim() !== '')
  const frequencies = countMessagesWith(own)
  const stretch = Math.max(1, Math.ceil(own.length / count))
  const questions: DemoQuestion[] = []
  for (let start = 0; start < own.length; start += stretch) {
    const question = askAbout(own.slice(start, start + stretch), frequencies, own.length)
    if (question !== undefined) questions.push(question)
  }
  return questions
}

function countMessagesWith(messages: readonly DemoMessage[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { text } of messages) {
    for (const word of new Set(wordsOf(text).map((item) => item.toLowerCase()))) {
      counts.set(word, (counts.get(word) ?? 0) + 1)
    }
  }
  return counts
}

function wordsOf(text: string): readonly string[] {
  return (text.slice(0, 2000).match(WORD) ?? []).filter(
    (word) => word.length >= MIN_WORD_LENGTH && !UNSEGMENTED.test(word) && analyze(word).length > 0,
  )
}

function askAbout(
  messages: readonly DemoMessage[],
  frequencies: ReadonlyMap<string, number>,
  total: number,
): DemoQuestion | undefined {
  let best: { readonly words: readonly string[]; readonly score: number } | undefined
  // What a person said is worth more than the answer to it.
  const spoken = messages.filter(({ role }) => role === 'user')
  for (const { text } of spoken.length > 0 ? spoken : messages) {
    const words = salientWords(text, frequencies, total)
    const score = words.reduce((sum, word) => sum + rarity(word, frequencies, total), 0)
    if (words.length > 0 && (best === undefined || score > best.score)) best = { words, score }
  }
  const userId = messages[0]?.userId ?? ''
  if (best !== undefined) return { text: `What was said about ${listed(best.words)}?`, userId }
  // Scripts without blanks and very short messages have no such words; then the beginning of one is the question.
  const text = messages[0]?.text.trim().slice(0, 60)
  return text === undefined || text === '' ? undefined : { text, userId }
}

function salientWords(
  text: string,
  frequencies: ReadonlyMap<string, number>,
  total: number,
): readonly string[] {
  const distinct = new Map(wordsOf(text).map((word) => [word.toLowerCase(), word]))
  return Array.from(distinct.values())
    .toSorted((left, right) => rarity(right, frequencies, total) - rarity(left, frequencies, total))
    .slice(0, WORDS_PER_QUESTION)
}

/** Inverse document frequency, more for names; words that stand once only may be slips, so twice is best. */
function rarity(word: string, frequencies: ReadonlyMap<string, number>, total: number): number {
  const count = frequencies.get(word.toLowerCase()) ?? 0
  const isName = /^\p{Lu}/u.test(word)
  return Math.log((total + 1) / Math.max(count, 2)) * (isName ? 1.2 : 1)
}

function listed(words: readonly string[]): string {
  return words.length < 2
    ? words.join('')
    : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`
}
