import { InvalidInputError } from '@loam/core'
import {
  BM25_DEFAULTS,
  bm25InverseDocumentFrequency,
  checkBm25Parameters,
  type Bm25Parameters,
} from './bm25.js'
import { compareText } from './compare-text.js'
import { tokenize } from './tokenize.js'

/** A text to be found again by its id. */
export interface Bm25Document {
  readonly id: string
  readonly text: string
}

/** A text that was found. */
export interface Bm25Hit {
  readonly id: string
  /** Above 0, and comparable only within one search. */
  readonly score: number
}

/** How an index reads its texts and weighs their terms. */
export interface Bm25IndexOptions extends Bm25Parameters {
  /** Makes terms of texts and queries. Default `tokenize`; `analyze` adds stemming and stop words. */
  readonly tokenize?: ((text: string) => readonly string[]) | undefined
}

/** An index in memory over a fixed set of texts. */
export interface Bm25Index {
  /** How many texts it holds. */
  readonly size: number
  /** The best texts that share a term with the query, best first, ties by id. `limit` is 5 by default and if not above 0. */
  search(query: string, limit?: number): Bm25Hit[]
}

/**
 * Builds a BM25 index; a changed set of texts wants a new one.
 *
 * @throws InvalidInputError if two texts have the same id.
 * @example
 * createBm25Index([{ id: 'web-search', text: 'Search the web' }]).search('web', 5)
 */
export function createBm25Index(
  documents: readonly Bm25Document[],
  options: Bm25IndexOptions = {},
): Bm25Index {
  const { k1 = BM25_DEFAULTS.k1, b = BM25_DEFAULTS.b, tokenize: termsOf = tokenize } = options
  checkBm25Parameters({ k1, b })
  const ids = documents.map(({ id }) => id)
  checkUnique(ids)
  const { postings, lengths } = collectPostings(documents, termsOf)
  const penalties = lengthPenalties(lengths, { k1, b })
  // Scores of one search; wiped after it only where it wrote, so that a search costs its postings and not all texts.
  const scores = new Float64Array(ids.length)

  return {
    size: ids.length,
    search(query, limit = DEFAULT_LIMIT) {
      const found: number[] = []
      for (const term of termsOf(query)) {
        const posting = postings.get(term)
        if (posting === undefined) continue
        const idf = bm25InverseDocumentFrequency(ids.length, posting.length / 2)
        for (let at = 0; at < posting.length; at += 2) {
          const ordinal = posting[at]!
          const frequency = posting[at + 1]!
          if (scores[ordinal] === 0) found.push(ordinal)
          // As `bm25TermScore`, with what a length costs looked up: this runs for each posting of each term.
          scores[ordinal]! += (idf * frequency * (k1 + 1)) / (frequency + penalties[ordinal]!)
        }
      }
      const best = selectBest(found, scores, ids, limit > 0 ? Math.floor(limit) : DEFAULT_LIMIT)
      const hits = best.map((ordinal) => ({ id: ids[ordinal]!, score: scores[ordinal]! }))
      for (const ordinal of found) scores[ordinal] = 0
      return hits
    },
  }
}

/** Also for a limit that is not above 0, so that a caller's zero does not read as "nothing found". */
const DEFAULT_LIMIT = 5

function checkUnique(ids: readonly string[]): void {
  const seen = new Set<string>()
  for (const id of ids) {
    if (seen.has(id)) {
      throw new InvalidInputError({
        message: `Two texts have the id "${id}". Give each text an id of its own.`,
        details: { id },
      })
    }
    seen.add(id)
  }
}

/** What is added to a term's frequency for the length of each text: k1 × (1 − b + b × |d| / avgDL). */
function lengthPenalties(
  lengths: Uint32Array,
  { k1, b }: { readonly k1: number; readonly b: number },
): Float64Array {
  const averageLength =
    lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length)
  return Float64Array.from(lengths, (length) => {
    const relativeLength = averageLength > 0 ? length / averageLength : 1
    return k1 * (1 - b + b * relativeLength)
  })
}

/**
 * The best of what was found, best first, ties by id. A short list is kept in order while all are looked at once; sorting
 * thousands for the sake of five would take longer than the search.
 */
function selectBest(
  found: readonly number[],
  scores: Float64Array,
  ids: readonly string[],
  limit: number,
): readonly number[] {
  const order = (one: number, other: number): number =>
    scores[other]! - scores[one]! || compareText(ids[one]!, ids[other]!)
  if (limit > MAX_KEPT_IN_ORDER || found.length <= limit)
    return found.toSorted(order).slice(0, limit)
  const best = found.slice(0, limit).toSorted(order)
  for (let index = limit; index < found.length; index++) {
    const ordinal = found[index]!
    if (order(ordinal, best[limit - 1]!) >= 0) continue
    let place = limit - 1
    while (place > 0 && order(ordinal, best[place - 1]!) < 0) {
      best[place] = best[place - 1]!
      place--
    }
    best[place] = ordinal
  }
  return best
}

const MAX_KEPT_IN_ORDER = 50

/** Per term a flat list of pairs: ordinal of a text, frequency in it. */
function collectPostings(
  documents: readonly Bm25Document[],
  termsOf: (text: string) => readonly string[],
): { readonly postings: ReadonlyMap<string, Uint32Array>; readonly lengths: Uint32Array } {
  const lengths = new Uint32Array(documents.length)
  const lists = new Map<string, number[]>()
  documents.forEach(({ text }, ordinal) => {
    const terms = termsOf(text)
    lengths[ordinal] = terms.length
    for (const term of terms) {
      const list = lists.get(term)
      if (list === undefined) lists.set(term, [ordinal, 1])
      else if (list[list.length - 2] === ordinal) list[list.length - 1]! += 1
      else list.push(ordinal, 1)
    }
  })
  const postings = new Map<string, Uint32Array>()
  for (const [term, list] of lists) postings.set(term, Uint32Array.from(list))
  return { postings, lengths }
}
