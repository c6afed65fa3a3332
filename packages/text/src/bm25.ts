import { InvalidInputError } from '@loam/core'

/** The two constants of BM25. */
export interface Bm25Parameters {
  /** How soon repetitions of a term stop to count. Default 1.2. */
  readonly k1?: number | undefined
  /** How much a long text is held back: 0 not at all, 1 in full. Default 0.75. */
  readonly b?: number | undefined
}

/** The defaults of Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009). */
export const BM25_DEFAULTS = { k1: 1.2, b: 0.75 } as const

/** One term in one text. */
export interface Bm25Term extends Bm25Parameters {
  /** How often the term stands in the text. */
  readonly frequency: number
  /** How many terms the text has. */
  readonly length: number
  /** How many terms a text has on average. */
  readonly averageLength: number
  /** From `bm25InverseDocumentFrequency`. */
  readonly idf: number
}

/** How much a term tells: ln((N − df + 0.5) / (df + 0.5) + 1), never negative. */
export function bm25InverseDocumentFrequency(
  documentCount: number,
  documentFrequency: number,
): number {
  return Math.log((documentCount - documentFrequency + 0.5) / (documentFrequency + 0.5) + 1)
}

/** What one term adds to the score of one text. */
export function bm25TermScore(term: Bm25Term): number {
  const { frequency, length, averageLength, idf, k1 = BM25_DEFAULTS.k1, b = BM25_DEFAULTS.b } = term
  if (frequency <= 0) return 0
  const relativeLength = averageLength > 0 ? length / averageLength : 1
  return (idf * frequency * (k1 + 1)) / (frequency + k1 * (1 - b + b * relativeLength))
}

/** Refuses constants for which BM25 has no meaning. */
export function checkBm25Parameters({ k1, b }: Required<Bm25Parameters>): void {
  if (!(Number(k1) >= 0 && Number.isFinite(k1))) {
    throw new InvalidInputError({ message: `k1 is ${k1}; give a number of at least 0.` })
  }
  if (!(Number(b) >= 0 && Number(b) <= 1)) {
    throw new InvalidInputError({ message: `b is ${b}; give a number from 0 to 1.` })
  }
}
