/** How much each signal of a search counts. 0 turns one off. */
export interface RankingWeights {
  /** Share of the vector channel, 0 to 1; words get the rest. Default: what the embedding model declares. */
  readonly vector: number
  /** What a turn gets of the score of the turns directly beside it. */
  readonly neighbour: number
  /** What it gets of those one further away. */
  readonly farNeighbour: number
  /** What the best session adds to its turns, the others in proportion. */
  readonly session: number
  /** What is added to a turn of the speaker that the query names. */
  readonly speaker: number
  /** By how much a document of the user's own is preferred to a shared one, as a factor. */
  readonly personal: number
}

/** Found on conversations of LoCoMo (spec 09, "Found to help"); `personal` is spec 04, 5.4. */
export const DEFAULT_RANKING_WEIGHTS: Omit<RankingWeights, 'vector'> = {
  neighbour: 0.35,
  farNeighbour: 0.15,
  session: 0.4,
  speaker: 0.3,
  personal: 1.2,
}
