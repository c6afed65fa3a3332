import type { VectorMatch } from '@loam/storage'

/**
 * Cosine similarity of each chunk, by chunk id, without those below the floor: else nonsense would always find
 * something (spec 04, 5.4).
 */
export function vectorScores(
  matches: readonly VectorMatch[],
  minSimilarity: number,
): Map<string, number> {
  const scores = new Map<string, number>()
  for (const { chunkId, similarity } of matches) {
    if (similarity >= minSimilarity && similarity > 0) scores.set(chunkId, similarity)
  }
  return scores
}
