import { unitKey } from './candidates.js'
import type { RankingWeights } from './weights.js'

/** A place in a session. */
export interface Place {
  readonly groupId: string
  readonly position: number
}

/** What the neighbours of a turn lend it; see `RankingWeights`. */
export type NeighbourShares = Pick<RankingWeights, 'turnBefore' | 'turnAfter' | 'furtherTurn'>

/** The places beside these, up to two away, that are not among them. */
export function placesBeside(places: readonly Place[]): Place[] {
  const known = new Set(places.map(({ groupId, position }) => unitKey(groupId, position)))
  const beside: Place[] = []
  for (const { groupId, position } of places) {
    for (const distance of [-2, -1, 1, 2]) {
      const place = { groupId, position: position + distance }
      const key = unitKey(groupId, place.position)
      if (place.position < 1 || known.has(key)) continue
      known.add(key)
      beside.push(place)
    }
  }
  return beside
}

/**
 * What a turn is lent by the turns beside it, of the scores by session and position: a question and its answer rarely share their words
 * (spec 09, "Found to help": +5 to +6 points at 5).
 */
export function neighbourScore(
  { groupId, position }: Place,
  scores: ReadonlyMap<string, ReadonlyMap<number, number>>,
  { turnBefore, turnAfter, furtherTurn }: NeighbourShares,
): number {
  const session = scores.get(groupId)
  const at = (distance: number) => session?.get(position + distance) ?? 0
  return turnBefore * (at(-1) + furtherTurn * at(-2)) + turnAfter * (at(1) + furtherTurn * at(2))
}
