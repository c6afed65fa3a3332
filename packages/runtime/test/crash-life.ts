import { fileURLToPath } from 'node:url'
import type { ChatModel } from '@loam/core'
import { DEFAULT_TENANT_ID, type Storage } from '@loam/storage'
import { openStorage } from '@loam/storage-postgres'
import { createRuntime, loadConfig, type Runtime } from '../src/index.js'

/** The agent that a prepared home folder has. */
export const AGENT = 'helper'
/** Sessions, each of which becomes one episode: what is lost of one is not made good by a later run of the same. */
export const SESSIONS = ['first', 'second']
/** The ids of a session's messages, in order. */
export const MESSAGE_IDS = ['message-1', 'message-2', 'message-3', 'message-4']

/** The file that lives in a process of its own. */
export const CHILD = fileURLToPath(new URL('crash-child.ts', import.meta.url))

/** Sums up at once. */
const chat: ChatModel = {
  provider: 'test',
  model: 'prompt',
  chat: () => Promise.reject(new Error('Nobody asks for free text.')),
  chatObject: async ({ schema }) =>
    schema.parse({ summary: 'They spoke of Lisbon.', abstract: 'Lisbon.', topics: [] }),
}

/** Told before and after each unit of work, which are counted from 1. */
export type Watch = (moment: 'before' | 'after', unit: number) => Promise<void>

/** The same store, watched while it is wanted. */
function watched(storage: Storage, isWanted: () => boolean, watch: Watch): Storage {
  let units = 0
  async function unit<Result>(work: () => Promise<Result>): Promise<Result> {
    if (!isWanted()) return await work()
    const number = (units += 1)
    await watch('before', number)
    const result = await work()
    await watch('after', number)
    return result
  }
  return {
    ...storage,
    transaction: (access, work, options) => unit(() => storage.transaction(access, work, options)),
    modelCalls: watchedCalls(storage.modelCalls, unit),
    system: {
      ...storage.system,
      deliveries: watchedCalls(storage.system.deliveries, unit),
    },
  }
}

/** The object, with each call of a method put through `around`. */
function watchedCalls<Calls extends object>(
  calls: Calls,
  around: <Result>(call: () => Promise<Result>) => Promise<Result>,
): Calls {
  return new Proxy(calls, {
    get: (target, name) => {
      const method = Reflect.get(target, name) as (...input: unknown[]) => Promise<unknown>
      return (...input: unknown[]) => around(() => method(...input))
    },
  })
}

/**
 * Opens the store in a home folder and lives through the whole loop: messages are stored, runs reported, episodes made.
 * Said again after a crash, it changes nothing that is there.
 */
export async function live(
  home: string,
  {
    watch = async () => {},
    check = async () => {},
  }: {
    readonly watch?: Watch
    /** Looks at the store in the end. */
    readonly check?: (runtime: Runtime, agentId: string) => Promise<void>
  },
): Promise<void> {
  const config = loadConfig({ LOAM_HOME: home }, { cwd: home })
  await using storage = await openStorage(config.databaseUrl)
  let isLiving = false
  await using runtime = await createRuntime(config, {
    storage: watched(storage, () => isLiving, watch),
    chat,
  })
  const agentId = await agentOf(runtime)
  const scope = { tenantId: DEFAULT_TENANT_ID, agentId, userId: 'ann' }
  // What it takes to open it is not the loop's.
  isLiving = true
  await runtime.start()
  for (const key of SESSIONS) {
    await runtime.memory.storeMessages(scope, { key }, messages)
    await runtime.reportRun(scope, key, { runId: 'run', status: 'completed' })
  }
  await runtime.settle()
  isLiving = false
  await check(runtime, agentId)
}

const messages = MESSAGE_IDS.map((id, index) => ({
  id,
  role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
  content: `In ${id} somebody speaks of Lisbon, of the hotel near the river, and of 900 euros.`,
}))

async function agentOf({ storage }: Runtime): Promise<string> {
  const agent = await storage.transaction(
    { tenantId: DEFAULT_TENANT_ID, userId: 'ann' },
    ({ agents }) => agents.find(AGENT),
  )
  if (!agent) throw new Error('The home folder was not prepared.')
  return agent.id
}
