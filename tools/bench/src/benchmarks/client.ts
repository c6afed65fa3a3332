import { createClient, type LoamClient } from '@loam/client'
import { createRuntime, loadConfig, type Runtime } from '@loam/runtime'
import { DEFAULT_TENANT_ID } from '@loam/storage'
import { compare } from '../comparison.js'
import { beginConversations } from '../conversations.js'
import { analyze } from '../databases.js'
import { byTurns, timed } from '../measurements/by-turns.js'
import { storeMessages, USER } from '../measurements/ingest.js'
import { questionsByRound } from '../measurements/search.js'
import { repositoryRoot } from '../processes/code.js'
import {
  API_KEY,
  createAgent,
  localSettings,
  makeLoamDatabase,
  startApi,
  type World,
} from '../world.js'
import type { Benchmark, BenchmarkOptions } from './benchmark.js'

const MAX_RESULTS = 10
const IN_A_ROW = 20

/** A prompt and a search through the client and the API, against the library in this process, on the same database. */
export const client: Benchmark = async (options) => {
  const { world, sizes, onProgress } = options
  const { url: databaseUrl } = await makeLoamDatabase(world)
  const settings = localSettings(databaseUrl)
  const api = await startApi(world, settings)
  const agent = await createAgent(api, 'client')
  onProgress('Client: storing messages')
  const { corpus } = world
  const { searchedMessages: count, questions: atMost } = sizes
  const conversations = await beginConversations(api, { agent, corpus, atMost })
  await storeMessages({ client: api, agent, corpus, count })
  await analyze([databaseUrl])
  const sides: Sides = {
    agent,
    loam: createClient({ url: api.url, apiKey: API_KEY }),
    runtime: await openLibrary(world, settings),
  }
  return [await comparePrompts(sides, conversations, options), await compareSearch(sides, options)]
}

interface Sides {
  readonly agent: string
  readonly loam: LoamClient
  readonly runtime: Runtime
}

async function openLibrary(
  { stack }: World,
  settings: Readonly<Record<string, string>>,
): Promise<Runtime> {
  const runtime = await createRuntime(loadConfig(settings, { cwd: repositoryRoot }))
  stack.defer(() => runtime.close())
  await runtime.start()
  return runtime
}

async function comparePrompts(
  { agent: key, loam, runtime }: Sides,
  conversations: Awaited<ReturnType<typeof beginConversations>>,
  { sizes, onProgress }: BenchmarkOptions,
) {
  const agent = await findAgent(runtime, key)
  const turnOf = (count: number, side: string) => {
    const conversation = conversations[count % conversations.length]
    if (conversation === undefined) throw new Error('There are no conversations.')
    const { userId, session } = conversation
    const message = 'What did we say about the garden?'
    return { userId, session, message, turnId: `${side}-${count}` }
  }
  const [ours, theirs] = byTurns(
    [
      {
        name: 'POST …/context, @loam/client',
        once: (count) => timed(() => loam.buildContext({ agent: key, ...turnOf(count, 'client') })),
      },
      {
        name: 'runtime.buildContext',
        once(count) {
          const { session: sessionKey, ...turn } = turnOf(count, 'library')
          return timed(() =>
            runtime.buildContext({ ...turn, tenantId: DEFAULT_TENANT_ID, agent, sessionKey }),
          )
        },
      },
    ],
    { pieces: 2 * sizes.questions, inARow: IN_A_ROW },
  )
  return await compare({
    title: 'The prompt of a turn through the client, p50',
    unit: 'ms',
    better: 'lower',
    by: 'difference',
    target: 2,
    ours: ours ? [ours] : [],
    theirs: theirs ? [theirs] : [],
    rounds: sizes.rounds,
    onProgress,
  })
}

async function compareSearch(
  { agent: key, loam, runtime }: Sides,
  { world, sizes, onProgress }: BenchmarkOptions,
) {
  const { id: agentId } = await findAgent(runtime, key)
  const scope = { tenantId: DEFAULT_TENANT_ID, agentId, userId: USER }
  const { questions: pieces, searchedMessages: among, rounds } = sizes
  const questions = questionsByRound(world.corpus, { count: pieces, among })
  const asked = Array.from({ length: rounds + 1 }, (_, round) => questions(round)).flat()
  const request = (count: number) => ({ query: asked[count] ?? '', maxResults: MAX_RESULTS })
  const [ours, theirs] = byTurns(
    [
      {
        name: 'POST …/memory/search, @loam/client',
        once: (count) =>
          timed(async () => {
            const search = { agent: key, userId: USER, ...request(count) }
            found((await loam.searchMemory(search)).count)
          }),
      },
      {
        name: 'runtime.memory.search',
        once: (count) =>
          timed(async () => {
            found((await runtime.memory.search(scope, request(count))).count)
          }),
      },
    ],
    { pieces, inARow: IN_A_ROW },
  )
  return await compare({
    title: `Search among ${among} messages of a user through the client, p50`,
    unit: 'ms',
    better: 'lower',
    by: 'difference',
    target: 2,
    ours: ours ? [ours] : [],
    theirs: theirs ? [theirs] : [],
    rounds,
    onProgress,
  })
}

function found(count: number): void {
  if (count === 0) throw new Error('Nothing was found.')
}

async function findAgent(runtime: Runtime, key: string) {
  const agent = await runtime.findAgent(DEFAULT_TENANT_ID, key)
  if (agent === undefined) throw new Error(`There is no agent ${key}.`)
  return agent
}
