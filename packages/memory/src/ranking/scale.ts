/** Divides all scores by the best of them, so that the best is 1. Scores that are not above 0 are left out. */
export function scaleToBest<Key>(scores: ReadonlyMap<Key, number>): Map<Key, number> {
  let best = 0
  for (const score of scores.values()) best = Math.max(best, score)
  const scaled = new Map<Key, number>()
  for (const [key, score] of scores) if (score > 0) scaled.set(key, score / best)
  return scaled
}
