import { createRandom } from './random.js'

/** A message of the made-up conversation. */
export interface CorpusMessage {
  readonly role: 'user' | 'assistant'
  readonly content: string
}

/** A made-up conversation without end, the same for every side and run. */
export interface Corpus {
  /** Messages from that position on. */
  messages(first: number, count: number): readonly CorpusMessage[]
  /** Questions after what was said in the first messages. */
  questions(count: number, among: number): readonly string[]
}

const FUNCTION_WORDS =
  'the of and a to in is you that it he was for on are with as his they be at this have from or had by but not what all were we when your can said there use an each which she do how their if will up other about out many then them these so some her would make like him into time has look two more go see no way could my than first been call who its now find long down day did get come made may part'.split(
    ' ',
  )
const NAMES =
  'Ada Ben Clara David Elif Farid Grace Hugo Ines Jonas Kofi Lena Mei Noah Olga Priya'.split(' ')
const ONSETS = 'b br c cl d dr f g gr h j k l m n p pl r s st t tr v w'.split(' ')
const VOWELS = 'a e i o u ai ea ou'.split(' ')
const CODAS = 'n r s t l m ck nd st rd'.split(' ')

/** About as many different words as long conversations have. */
const VOCABULARY_SIZE = 5_000
/** Sentences of a message, and words of a sentence: about 25 words a message, as people write. */
const MAX_SENTENCES = 4
const SENTENCE_WORDS = { min: 5, max: 15 }
/** Share of words that carry no topic, as in English. */
const FUNCTION_SHARE = 0.45
const SKIPPED_RANKS = 50

/** Makes the conversation of a seed. Its words are made up too, and as unevenly frequent as words are (Zipf). */
export function createCorpus(seed = 1): Corpus {
  const vocabulary = makeVocabulary(createRandom(seed))

  function message(position: number): CorpusMessage {
    const random = createRandom(seed * 1_000_003 + position)
    const sentences = 1 + Math.floor(random() * MAX_SENTENCES)
    const content = Array.from({ length: sentences }, () => sentence(random, vocabulary)).join(' ')
    return { role: position % 2 === 0 ? 'user' : 'assistant', content }
  }

  return {
    messages: (first, count) => Array.from({ length: count }, (_, index) => message(first + index)),
    questions: (count, among) => {
      const random = createRandom(seed + 7)
      return Array.from({ length: count }, () => {
        const { content } = message(Math.floor(random() * among))
        const topics = content
          .split(/[ .]+/)
          .filter((word) => word.length > 3 && !FUNCTION_WORDS.includes(word))
        return `What was said about ${pick(random, NAMES)} and ${topics.slice(0, 4).join(' ')}?`
      })
    },
  }
}

function sentence(random: () => number, vocabulary: readonly string[]): string {
  const length =
    SENTENCE_WORDS.min + Math.floor(random() * (SENTENCE_WORDS.max - SENTENCE_WORDS.min + 1))
  const words = Array.from({ length }, (_, index) => {
    if (index > 0 && random() < 0.06) return pick(random, NAMES)
    return random() < FUNCTION_SHARE
      ? pick(random, FUNCTION_WORDS)
      : frequentFirst(random, vocabulary)
  })
  const text = words.join(' ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

/**
 * The word of rank n about as often as 1 / (n + 50), which is Zipf's law for what is left when function words are taken out:
 * an even pick on a logarithmic scale.
 */
function frequentFirst(random: () => number, words: readonly string[]): string {
  const place = SKIPPED_RANKS * ((words.length + SKIPPED_RANKS) / SKIPPED_RANKS) ** random()
  return words[Math.floor(place) - SKIPPED_RANKS] ?? ''
}

function pick(random: () => number, words: readonly string[]): string {
  return words[Math.floor(random() * words.length)] ?? ''
}

function makeVocabulary(random: () => number): readonly string[] {
  const words = new Set<string>()
  while (words.size < VOCABULARY_SIZE) {
    const syllables = random() < 0.4 ? 1 : random() < 0.8 ? 2 : 3
    const open = Array.from(
      { length: syllables },
      () => pick(random, ONSETS) + pick(random, VOWELS),
    )
    words.add(open.join('') + pick(random, CODAS))
  }
  return [...words]
}
