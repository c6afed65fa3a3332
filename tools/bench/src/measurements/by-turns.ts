import type { Side } from '../comparison.js'
import { quantile } from '../statistics.js'

/** A way to do one piece of work. */
export interface Way {
  readonly name: string
  /** Does it once. The same count means the same work for every way. Resolves with how many milliseconds counted. */
  once(count: number): Promise<number>
}

/** How much is done, and how often it changes. */
export interface Turns {
  /** Pieces of work of each way in a round. */
  readonly pieces: number
  /** Pieces that one way does before it is the next one's turn. */
  readonly inARow: number
}

/**
 * Sides that take turns several times within a round, so that what the machine does meanwhile weighs on all of them; every
 * second time the other way about. The figure of each is its median in milliseconds.
 *
 * A few pieces in a row, since a process that waited for all the others finds its caches cold, which in use it does not.
 */
export function byTurns(ways: readonly Way[], { pieces, inARow }: Turns): readonly Side[] {
  const rounds = new Map<number, Promise<ReadonlyMap<Way, number>>>()
  const measure = async (round: number) => {
    const times = new Map(ways.map((way) => [way, [] as number[]]))
    for (let turn = 0; turn * inARow < pieces; turn += 1) {
      const first = turn * inARow
      const end = Math.min(first + inARow, pieces)
      for (const way of turn % 2 === 0 ? ways : ways.toReversed()) {
        for (let piece = first; piece < end; piece += 1) {
          times.get(way)?.push(await way.once(round * pieces + piece))
        }
      }
    }
    return new Map(ways.map((way) => [way, quantile(times.get(way) ?? [], 0.5)]))
  }
  return ways.map((way) => ({
    name: way.name,
    async measure(round) {
      // Whichever side is asked first does the round for all.
      const measured = rounds.get(round) ?? measure(round)
      rounds.set(round, measured)
      return (await measured).get(way) ?? Number.NaN
    },
  }))
}

/** How many milliseconds work takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}
