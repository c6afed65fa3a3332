import type { Side } from '../comparison.js'
import type { Corpus } from '../corpus.js'
import type { JsonClient } from '../json-client.js'
import type { Mem0Process } from '../peers/mem0.js'
import { quantile } from '../statistics.js'
import { USER } from './ingest.js'

/** Results of one search, on both sides. */
const MAX_RESULTS = 10

/** Asks Loam's API, one question after the other; the figure is the median in milliseconds. */
export function loamSearch(options: {
  readonly client: JsonClient
  readonly agent: string
  readonly questions: (round: number) => readonly string[]
  readonly name: string
}): Side {
  const { client, agent, questions, name } = options
  return {
    name,
    async measure(round) {
      const times: number[] = []
      for (const query of questions(round)) {
        const started = performance.now()
        const { count, degraded } = await client.post<{ count: number; degraded?: string }>(
          `/v1/agents/${agent}/memory/search`,
          { userId: USER, query, maxResults: MAX_RESULTS },
        )
        times.push(performance.now() - started)
        if (count === 0 || degraded !== undefined) {
          throw new Error(
            `Loam found ${count} results for "${query}" (${degraded ?? 'not degraded'}).`,
          )
        }
      }
      return quantile(times, 0.5)
    },
  }
}

/** Asks mem0, one question after the other; the figure is the median in milliseconds. */
export function mem0Search(options: {
  readonly mem0: Mem0Process
  readonly collection: string
  readonly questions: (round: number) => readonly string[]
  readonly name: string
}): Side {
  const { mem0, collection, questions, name } = options
  return {
    name,
    async measure(round) {
      const request = { collection, userId: USER, questions: questions(round) }
      return quantile(await mem0.search({ ...request, maxResults: MAX_RESULTS }), 0.5)
    },
  }
}

/** Questions of each round, other ones every time. */
export function questionsByRound(
  corpus: Corpus,
  { count, among }: { readonly count: number; readonly among: number },
): (round: number) => readonly string[] {
  return (round) => corpus.questions(count * (round + 1), among).slice(count * round)
}
