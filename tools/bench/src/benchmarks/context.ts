import { compare, type Side } from '../comparison.js'
import { quantile } from '../statistics.js'
import { createAgent, loamSettings, makeLoamDatabase, startApi } from '../world.js'
import type { Benchmark } from './benchmark.js'

const USER = 'ana'

/** The median time of a turn's prompt over HTTP, against a route of the same app that authenticates and reads one row. */
export const context: Benchmark = async ({ world, sizes, onProgress }) => {
  const { url } = await makeLoamDatabase(world)
  const client = await startApi(world, loamSettings(world, url))
  const agent = await createAgent(client, 'context')
  const path = `/v1/agents/${agent}`
  // The first meeting is over, and the files are there.
  for (const turnId of ['1', '2', '3']) {
    await client.post(`${path}/context`, { userId: USER, turnId })
  }
  const side = (name: string, ask: (count: number) => Promise<unknown>): Side => ({
    name,
    async measure(round) {
      const times: number[] = []
      for (let count = 0; count < 2 * sizes.questions; count += 1) {
        const started = performance.now()
        await ask(round * 10_000 + count)
        times.push(performance.now() - started)
      }
      return quantile(times, 0.5)
    },
  })
  return [
    await compare({
      title: 'The prompt of a turn over HTTP, p50',
      unit: 'ms',
      better: 'lower',
      by: 'difference',
      target: 2,
      ours: [
        side('POST …/context', (count) =>
          client.post(`${path}/context`, {
            userId: USER,
            session: 'bench',
            turnId: `turn-${count}`,
            message: 'What did we say about the garden?',
          }),
        ),
      ],
      theirs: [side('GET of one row', () => client.get(path))],
      rounds: sizes.rounds,
      onProgress,
    }),
  ]
}
