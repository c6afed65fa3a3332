import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import type { Side } from '../comparison.js'
import type { JsonClient } from '../json-client.js'
import { SEEDED_AGENT, type SeededSession } from '../sessions.js'

/** Clients that report runs at once. */
const CLIENTS = 16
const LOOK_MS = 10
/** Nothing that works takes as long. */
const PATIENCE_MS = 300_000

/** Reports one run of each session and waits for as many episodes; the figure is runs a second. */
export function runsToEpisodes(options: {
  readonly name: string
  readonly client: JsonClient
  readonly databaseUrl: string
  /** The sessions of a round; another part of them each time. */
  readonly sessions: (round: number) => readonly SeededSession[]
}): Side {
  const { name, client, databaseUrl, sessions } = options
  return {
    name,
    async measure(round) {
      const database = postgres(databaseUrl, { max: 1, onnotice: () => {} })
      try {
        const waiting = [...sessions(round)]
        const { length } = waiting
        const wanted = (await countEpisodes(database)) + length
        const started = performance.now()
        const report = async () => {
          for (let session = waiting.pop(); session; session = waiting.pop()) {
            await client.post(`/v1/agents/${SEEDED_AGENT}/sessions/${session.key}/runs`, {
              userId: session.userId,
              runId: `round-${round}`,
              status: 'completed',
            })
          }
        }
        await Promise.all(Array.from({ length: CLIENTS }, report))
        while ((await countEpisodes(database)) < wanted) {
          if (performance.now() - started > PATIENCE_MS) {
            throw new Error(`${name} wrote too few episodes within ${PATIENCE_MS / 1000} s.`)
          }
          await sleep(LOOK_MS)
        }
        return length / ((performance.now() - started) / 1000)
      } finally {
        await database.end()
      }
    },
  }
}

async function countEpisodes(database: postgres.Sql): Promise<number> {
  const [row] = await database<
    { count: number }[]
  >`select count(*)::int as count from loam.episodes`
  return row?.count ?? 0
}
