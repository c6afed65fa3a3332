import { compare, type Comparison } from '../comparison.js'
import { analyze } from '../databases.js'
import { loamIngest, mem0Ingest } from '../measurements/ingest.js'
import { createAgent, loamSettings, makeLoamDatabase, startApi, startPeer } from '../world.js'
import type { Benchmark } from './benchmark.js'

/** As of a model that is asked over a network or has to think: no real one answers at once. */
const MODEL_DELAY_MS = 20
/** What waits for a model takes longer, so that fewer messages do. */
const DELAYED_SHARE = 0.2
const CALLERS = [1, 8]

/**
 * Messages stored and indexed per second, against mem0: with one caller and with several, and with an embedding server that
 * answers at once and later.
 */
export const ingest: Benchmark = async ({ world, sizes, peersFolder, onProgress }) => {
  const { corpus } = world
  const { rounds } = sizes
  const database = await makeLoamDatabase(world)
  const client = await startApi(world, loamSettings(world, database.url))
  const agent = await createAgent(client, 'ingest')
  const peer = peersFolder === undefined ? undefined : await startPeer(world, peersFolder)
  const collection = await peer?.open('ingested', { hnsw: false })
  const databases = [database.url, ...(peer === undefined ? [] : [peer.databaseUrl])]
  const comparisons: Comparison[] = []
  for (const delayMs of [0, MODEL_DELAY_MS]) {
    await world.delayModels(delayMs)
    const messages = Math.ceil(sizes.messages * (delayMs === 0 ? 1 : DELAYED_SHARE))
    for (const callers of CALLERS) {
      const model = delayMs === 0 ? 'answers at once' : `answers after ${delayMs} ms`
      const who = callers === 1 ? 'one caller' : `${callers} callers`
      comparisons.push(
        await compare({
          title: `Messages stored and indexed, ${who}, the embedding server ${model}`,
          unit: 'messages/s',
          better: 'higher',
          target: 10,
          ours: [loamIngest({ client, agent, corpus, messages, callers })],
          theirs:
            peer === undefined || collection === undefined
              ? []
              : [mem0Ingest({ mem0: peer.mem0, collection, corpus, messages, callers })],
          rounds,
          afterWarmUp: () => analyze(databases),
          onProgress,
        }),
      )
    }
  }
  await world.delayModels(0)
  return comparisons
}
