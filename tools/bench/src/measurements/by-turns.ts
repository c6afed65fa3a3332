import type { Side } from '../comparison.js'
import { quantile } from '../statistics.js'

/** A way to do one piece of work. */
export interface Way {
  readonly name: string
  /** Does it once. The same count means the same work for every way. Resolves with how many milliseconds counted. */
  once(count: number): Promise<number>
}

/**
 * Sides that take turns within a round, piece by piece, so that what the machine does meanwhile weighs on all of them; every
 * second piece the other way about. The figure of each is its median in milliseconds.
 */
export function byTurns(
  ways: readonly Way[],
  { pieces }: { readonly pieces: number },
): readonly Side[] {
  const rounds = new Map<number, Promise<ReadonlyMap<Way, number>>>()
  const measure = async (round: number) => {
    const times = new Map(ways.map((way) => [way, [] as number[]]))
    for (let piece = 0; piece < pieces; piece += 1) {
      for (const way of piece % 2 === 0 ? ways : ways.toReversed()) {
        times.get(way)?.push(await way.once(round * pieces + piece))
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
