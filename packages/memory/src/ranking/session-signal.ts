import { bm25InverseDocumentFrequency, bm25TermScore } from '@loam/text'
import type { LexicalMatches } from '@loam/storage'

/**
 * BM25 of whole sessions, by group id: the session is a second unit that says what a turn is about
 * (spec 09, "Found to help": +2 to +3.5 points).
 */
export function sessionScores({
  statistics,
  matches,
  sessionLengths,
}: LexicalMatches): Map<string, number> {
  const frequencies = new Map<string, Map<string, number>>()
  for (const match of matches) {
    if (match.source !== 'messages') continue
    const ofSession = frequencies.get(match.groupId) ?? new Map<string, number>()
    frequencies.set(match.groupId, ofSession)
    for (const [term, frequency] of match.frequencies) {
      ofSession.set(term, (ofSession.get(term) ?? 0) + frequency)
    }
  }
  const sessionsWith = new Map<string, number>()
  for (const ofSession of frequencies.values()) {
    for (const term of ofSession.keys()) sessionsWith.set(term, (sessionsWith.get(term) ?? 0) + 1)
  }
  const averageLength = statistics.sessionTotalLength / Math.max(1, statistics.sessionCount)
  const scores = new Map<string, number>()
  for (const [groupId, ofSession] of frequencies) {
    let score = 0
    for (const [term, frequency] of ofSession) {
      score += bm25TermScore({
        frequency,
        length: sessionLengths.get(groupId) ?? averageLength,
        averageLength,
        idf: bm25InverseDocumentFrequency(statistics.sessionCount, sessionsWith.get(term) ?? 0),
      })
    }
    scores.set(groupId, score)
  }
  return scores
}
