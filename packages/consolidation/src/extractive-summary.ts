import { analyze, headOf, splitSentences } from '@loam/text'
import { shorten } from './abstract.js'
import type { Excerpt } from './excerpt.js'

/** About as long as what a model writes. */
const MAX_SUMMARY_LENGTH = 1_600
const MAX_SENTENCE_LENGTH = 320
/** Facts about people come from what they say themselves, more than from what they are answered. */
const USER_FACTOR = 1.5
/** A term with a capital or a digit names someone, something, a date or a number. */
const SPECIFIC_FACTOR = 1.5
/** Between 0 (sentences as long as can be) and 1 (as short as can be); the `r` of Lin and Bilmes. */
const LENGTH_EXPONENT = 0.6

/** A summary made of the conversation's own sentences. */
export interface ExtractiveSummary {
  readonly summary: string
  readonly abstract: string
}

interface Sentence {
  /** Index of the excerpt that it stands in, and of the sentence among all. */
  readonly turn: number
  readonly place: number
  readonly speaker: string
  readonly text: string
  readonly factor: number
  readonly terms: ReadonlyMap<string, number>
}

/**
 * Summarises by rules: the sentences that together cover most of what the conversation speaks of, in its order, each
 * with who said it.
 *
 * Greedy choice under a length budget by gain over length^r (Lin and Bilmes 2010, "Multi-document summarization via
 * budgeted maximization of submodular functions"), where the gain is the weight of terms not yet covered.
 */
export function extractiveSummary(excerpts: readonly Excerpt[]): ExtractiveSummary {
  const sentences = sentencesOf(excerpts.filter(({ role }) => role !== 'tool'))
  const weigh = weightsOf(sentences)
  const covered = new Set<string>()
  const chosen: Sentence[] = []
  const open = new Set(sentences)
  let length = 0
  while (open.size > 0) {
    let best: Sentence | undefined
    let bestScore = -1
    for (const sentence of open) {
      let gain = 0
      for (const [term, factor] of sentence.terms) {
        if (!covered.has(term)) gain += factor * weigh(term)
      }
      const score = (gain * sentence.factor) / sentence.text.length ** LENGTH_EXPONENT
      if (score > bestScore) [best, bestScore] = [sentence, score]
    }
    // Sentences without a new term are taken only when there is nothing else at all.
    if (!best || (bestScore === 0 && chosen.length > 0)) break
    open.delete(best)
    const cost = best.text.length + best.speaker.length + 3
    if (length + cost > MAX_SUMMARY_LENGTH) continue
    chosen.push(best)
    length += cost
    for (const term of best.terms.keys()) covered.add(term)
  }
  return { summary: render(chosen), abstract: chosen[0] ? shorten(line([chosen[0]])) : '' }
}

function sentencesOf(excerpts: readonly Excerpt[]): Sentence[] {
  let place = 0
  return excerpts.flatMap(({ text, speaker, role }, turn) =>
    splitSentences(text).map((sentence) => ({
      turn,
      place: (place += 1),
      speaker,
      text: headOf(sentence, MAX_SENTENCE_LENGTH),
      factor: role === 'user' ? USER_FACTOR : 1,
      terms: termsOf(sentence),
    })),
  )
}

/** The terms of a sentence, each with how much it says. */
function termsOf(sentence: string): ReadonlyMap<string, number> {
  const terms = new Map(analyze(sentence).map((term) => [term, 1]))
  for (const [word] of sentence.matchAll(SPECIFIC_WORD)) {
    for (const term of analyze(word)) if (terms.has(term)) terms.set(term, SPECIFIC_FACTOR)
  }
  return terms
}

// A capital that does not open the sentence, or a digit anywhere.
const SPECIFIC_WORD = /(?<=\S\s+)\p{Lu}[\p{L}\p{M}\p{N}]*|[\p{L}\p{M}]*\p{N}[\p{L}\p{M}\p{N}]*/gu

/** A term weighs by the number of different sentences that it stands in: what is said over and over counts once. */
function weightsOf(sentences: readonly Sentence[]): (term: string) => number {
  const different = new Map(sentences.map(({ terms }) => [[...terms.keys()].join(' '), terms]))
  const counts = new Map<string, number>()
  for (const terms of different.values()) {
    for (const term of terms.keys()) counts.set(term, (counts.get(term) ?? 0) + 1)
  }
  return (term) => Math.sqrt(counts.get(term) ?? 0)
}

/** In the order of the conversation, one line for each turn. */
function render(chosen: readonly Sentence[]): string {
  const lines: Sentence[][] = []
  for (const sentence of chosen.toSorted((a, b) => a.place - b.place)) {
    const last = lines.at(-1)
    if (last?.[0]?.turn === sentence.turn) last.push(sentence)
    else lines.push([sentence])
  }
  return lines.map(line).join('\n')
}

function line(sentences: readonly Sentence[]): string {
  return `${sentences[0]?.speaker}: ${sentences.map(({ text }) => text).join(' ')}`
}
