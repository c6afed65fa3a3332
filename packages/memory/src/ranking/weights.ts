/** How much each signal of a search counts. 0 turns one off. */
export interface RankingWeights {
  /** Share of the vector channel, 0 to 1; words get the rest. Default: what the embedding model declares. */
  readonly vector: number
  /** What a turn gets of the score of the turn before it: an answer follows what it answers. */
  readonly turnBefore: number
  /** What it gets of the score of the turn after it. */
  readonly turnAfter: number
  /** How much of both shares is left for the turns one further away. */
  readonly furtherTurn: number
  /** What the best session adds to its turns, the others in proportion. */
  readonly session: number
  /** What is added to a turn of the speaker that the query names. */
  readonly speaker: number
  /** By how much a document of the user's own is preferred to a shared one, as a factor. */
  readonly personal: number
}

/**
 * Session as in spec 09, "Found to help", where neighbours lend 0.35 and 0.15 on either side and a speaker has 0.2 to 0.4. The same
 * sum with more from before, and the speaker at 0.25, did better on both halves of LoCoMo's development file. `personal` is spec 04, 5.4.
 */
export const DEFAULT_RANKING_WEIGHTS: Omit<RankingWeights, 'vector'> = {
  turnBefore: 0.42,
  turnAfter: 0.28,
  furtherTurn: 0.43,
  session: 0.4,
  speaker: 0.25,
  personal: 1.2,
}
