import { compare, type Side } from '../comparison.js'
import { analyze } from '../databases.js'
import { storeMessages, USER } from '../measurements/ingest.js'
import { loamSearch, mem0Search, questionsByRound } from '../measurements/search.js'
import {
  createAgent,
  loamSettings,
  localSettings,
  makeLoamDatabase,
  startApi,
  startPeer,
} from '../world.js'
import type { Benchmark } from './benchmark.js'

/** The median time of a search among one user's messages, against mem0 with and without an index. */
export const search: Benchmark = async ({ world, sizes, peersFolder, onProgress }) => {
  const { corpus } = world
  const { searchedMessages: count, rounds } = sizes
  const questions = questionsByRound(corpus, { count: sizes.questions, among: count })
  const loam = async (name: string, settings: (databaseUrl: string) => Settings) => {
    onProgress(`Search: storing ${count} messages with ${name}`)
    const database = await makeLoamDatabase(world)
    const client = await startApi(world, settings(database.url))
    const agent = await createAgent(client, 'search')
    await storeMessages({ client, agent, corpus, count })
    await analyze([database.url])
    return loamSearch({ client, agent, questions, name })
  }
  const theirs: Side[] = []
  const peer = peersFolder === undefined ? undefined : await startPeer(world, peersFolder)
  for (const hnsw of [false, true]) {
    if (peer === undefined) break
    const { mem0, databaseUrl } = peer
    const name = hnsw ? 'mem0, HNSW index' : 'mem0, no index'
    onProgress(`Search: storing ${count} messages with ${name}`)
    const collection = await peer.open(hnsw ? 'indexed' : 'plain', { hnsw })
    await mem0.add({ collection, userId: USER, messages: corpus.messages(0, count), atOnce: 8 })
    await analyze([databaseUrl])
    theirs.push(mem0Search({ mem0, collection, questions, name }))
  }
  return [
    await compare({
      title: `Search among ${count} messages of a user, p50`,
      unit: 'ms',
      better: 'lower',
      target: 0.5,
      ours: [await loam('Loam', (url) => loamSettings(world, url))],
      theirs,
      besides: [await loam('Loam, local embeddings', localSettings)],
      rounds,
      onProgress,
    }),
  ]
}

type Settings = Readonly<Record<string, string>>
