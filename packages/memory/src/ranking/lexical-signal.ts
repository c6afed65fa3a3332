import { bm25InverseDocumentFrequency, bm25TermScore } from '@loam/text'
import type { LexicalMatches } from '@loam/storage'

/**
 * How much a long chunk is held back. Less than the usual 0.75, as no chunk is longer than 1,000 characters; it did better on both
 * halves of LoCoMo's development file (R@5 +0.4 and +0.8).
 */
const LENGTH_WEIGHT = 0.5

/** BM25 of each matching chunk, by chunk id (Robertson and Zaragoza 2009; spec 09, "Lexical search at scale"). */
export function lexicalScores({ statistics, matches }: LexicalMatches): Map<string, number> {
  const averageLength = statistics.totalLength / Math.max(1, statistics.chunkCount)
  const idfs = new Map<string, number>()
  for (const [term, frequency] of statistics.documentFrequencies) {
    idfs.set(term, bm25InverseDocumentFrequency(statistics.chunkCount, frequency))
  }
  const scores = new Map<string, number>()
  for (const match of matches) {
    let score = 0
    for (const [term, frequency] of match.frequencies) {
      const idf = idfs.get(term) ?? 0
      score += bm25TermScore({
        frequency,
        length: match.length,
        averageLength,
        idf,
        b: LENGTH_WEIGHT,
      })
    }
    scores.set(match.chunkId, score)
  }
  return scores
}
