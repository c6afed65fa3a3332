import { analyze } from '@loam/text'

const MAX_TOPICS = 20
const MIN_TOPIC_LENGTH = 3
/** Longer runs are shouted sentences, not names. */
const MAX_TOPIC_LENGTH = 100
const MAX_FREQUENT_WORDS = 8

/**
 * What a text is about, by rules: its runs of capitalised words, the most frequent 20 in order of appearance (spec 05,
 * 6.2). A text without any, such as a lower-case chat or one in Chinese, gives the words that it repeats.
 *
 * @example
 * topicsOf('Alice met Bob Smith at Acme Corp.') // ['Alice', 'Bob Smith', 'Acme Corp']
 */
export function topicsOf(text: string): string[] {
  const names = mostFrequent(capitalisedRuns(text), MAX_TOPICS, 1)
  return names.length > 0 ? names : mostFrequent(contentWords(text), MAX_FREQUENT_WORDS, 2)
}

/** The `limit` most frequent of `found`, compared without case, in order of appearance. */
function mostFrequent(found: readonly string[], limit: number, atLeast: number): string[] {
  const counts = new Map<string, { readonly form: string; readonly order: number; count: number }>()
  for (const form of found) {
    const key = form.toLowerCase()
    const known = counts.get(key)
    if (known) known.count += 1
    else counts.set(key, { form, order: counts.size, count: 1 })
  }
  return [...counts.values()]
    .filter(({ count }) => count >= atLeast)
    .toSorted((a, b) => b.count - a.count || a.order - b.order)
    .slice(0, limit)
    .toSorted((a, b) => a.order - b.order)
    .map(({ form }) => form)
}

/**
 * In a longer text a lone word at the beginning of a sentence is no name for its capital alone ("Wonderful!", "Rain comes
 * in"): it must stand capitalised inside a sentence too.
 */
function capitalisedRuns(text: string): string[] {
  const { runs, sentences } = readRuns(text)
  if (sentences <= FEW_SENTENCES) return runs.map(({ name }) => name)
  const sure = new Set(runs.flatMap(({ name, isSure }) => (isSure ? [name.toLowerCase()] : [])))
  return runs.flatMap(({ name }) => (sure.has(name.toLowerCase()) ? [name] : []))
}

interface Run {
  readonly name: string
  /** Its capital is not that of a sentence. */
  readonly isSure: boolean
}

function readRuns(text: string): { readonly runs: readonly Run[]; readonly sentences: number } {
  const lowerCaseWords = new Set(text.match(LOWER_CASE_WORD))
  const runs: Run[] = []
  let sentences = 0
  let run: string[] = []
  let opensSentence = true
  let runOpensSentence = true
  const end = (): void => {
    const words = withoutStopWords(run)
    const isName = words.length > 1 || !runOpensSentence || !lowerCaseWords.has(lower(words[0]))
    const name = words.join(' ')
    if (isName && name.length >= MIN_TOPIC_LENGTH && name.length <= MAX_TOPIC_LENGTH) {
      runs.push({ name, isSure: words.length > 1 || !runOpensSentence })
    }
    run = []
  }
  for (const line of text.split(/[\n\r]+/)) {
    opensSentence = true
    for (const token of line.split(/\s+/)) {
      const word = token.replace(LEADING_PUNCTUATION, '').replace(TRAILING_PUNCTUATION, '')
      if (word === '') {
        end()
        continue
      }
      if (opensSentence) sentences += 1
      if (LEADING_PUNCTUATION.test(token) || !CAPITALISED.test(word)) end()
      if (CAPITALISED.test(word)) {
        if (run.length === 0) runOpensSentence = opensSentence
        run.push(TITLE_OR_INITIAL.test(token) ? token : word)
      }
      const closed = TRAILING_PUNCTUATION.test(token) && !TITLE_OR_INITIAL.test(token)
      if (closed) end()
      opensSentence = closed && SENTENCE_END.test(token)
    }
    end()
  }
  return { runs, sentences }
}

/** Up to here there is too little text for a name to stand twice. */
const FEW_SENTENCES = 2
const LOWER_CASE_WORD = /(?<![\p{L}\p{M}\p{N}])\p{Ll}[\p{L}\p{M}\p{N}]*/gu
const CAPITALISED = /^\p{Lu}/u
const LEADING_PUNCTUATION = /^[^\p{L}\p{M}\p{N}]+/u
const TRAILING_PUNCTUATION = /(?:['’]s)?[^\p{L}\p{M}\p{N}]+$|['’]s$/u
const TITLE_OR_INITIAL = /^(?:Dr|Mr|Mrs|Ms|St|Prof|\p{Lu})\.$/u
const SENTENCE_END = /[.!?:…]["'”’)]*$/

function lower(word: string | undefined): string {
  return word?.toLowerCase() ?? ''
}

function isContent(word: string): boolean {
  return analyze(word).length > 0
}

/** "The Acme Corp" is about Acme Corp, and "When I" about nothing. */
function withoutStopWords(words: readonly string[]): readonly string[] {
  const first = words.findIndex(isContent)
  return first === -1 ? [] : words.slice(first, words.findLastIndex(isContent) + 1)
}

let segmenter: Intl.Segmenter | undefined

function contentWords(text: string): string[] {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'word' })
  const words: string[] = []
  for (const { segment, isWordLike } of segmenter.segment(text)) {
    if (isWordLike && segment.length >= (UNSPACED.test(segment) ? 2 : 4) && !/^\d/.test(segment)) {
      if (isContent(segment)) words.push(segment)
    }
  }
  return words
}

const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Hangul}]/u
