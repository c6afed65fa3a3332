import { setTimeout as delay } from 'node:timers/promises'
import { createConsolidation } from '@loam/consolidation'
import {
  eventSchema,
  generateId,
  type DeliveryHandler,
  type DeliveryMessage,
  type EventBus,
  type LoamEvent,
} from '@loam/core'
import { createRuntime, loadConfig, type Runtime } from '@loam/runtime'
import { DEFAULT_TENANT_ID } from '@loam/storage'
import { createTestDatabase, postgresTestUrl } from '@loam/storage-postgres/testing'
import postgres from 'postgres'
import { describe, expect, it } from 'vitest'
import { messagesOfRound } from '../src/conversation.js'
import { dumpOf, type Dump } from '../src/dump.js'
import { createRandom, type Random } from '../src/random.js'
import { readFaultSettings } from '../src/settings.js'
import { AGENT } from '../src/talk.js'
import { PATIENCE } from './use-world.js'

const { seed } = readFaultSettings()
const SESSIONS = 6
const ROUNDS = 6
const MESSAGE_LENGTH = 900

/** A Loam in this process, on a database of its own. */
interface Loam {
  readonly runtime: Runtime
  readonly sql: postgres.Sql
  readonly say: (session: string, round: number) => Promise<void>
  readonly reportRun: (session: string, run: number) => Promise<void>
}

async function withLoam(
  { bus }: { readonly bus?: EventBus },
  use: (loam: Loam) => Promise<void>,
): Promise<Dump> {
  const database = await createTestDatabase(postgresTestUrl() ?? '')
  const sql = postgres(database.url, { max: 1, onnotice: () => {} })
  try {
    const settings = { LOAM_DATABASE_URL: database.url, LOAM_API_KEY: 'sixteen-characters-or-more' }
    const config = loadConfig(settings, { cwd: process.cwd() })
    await using runtime = await createRuntime(config, { bus })
    const scope = { tenantId: DEFAULT_TENANT_ID, agentId: generateId(), userId: 'ann' }
    await runtime.storage.transaction({ tenantId: scope.tenantId, everyUser: true }, ({ agents }) =>
      agents.create({
        id: scope.agentId,
        key: AGENT,
        type: 'open',
        displayName: undefined,
        description: undefined,
        settings: {},
      }),
    )
    await use({
      runtime,
      sql,
      say: async (session, round) => {
        const messages = messagesOfRound(session, round).map((message) => ({
          ...message,
          content: `${message.content} `.repeat(MESSAGE_LENGTH / message.content.length),
        }))
        await runtime.memory.storeMessages(scope, { key: session }, messages)
      },
      reportRun: async (session, run) => {
        await runtime.reportRun(scope, session, { runId: `run-${run}`, status: 'completed' })
      },
    })
    return await dumpOf(sql)
  } finally {
    await sql.end()
    await database.drop()
  }
}

const sessions = Array.from({ length: SESSIONS }, (_, index) => `s${index}`)

/** Says everything, with a run after each round, while jobs are done. */
async function talkWhileStarted({ runtime, say, reportRun }: Loam): Promise<void> {
  await runtime.start()
  await Promise.all(
    sessions.map(async (session) => {
      for (let round = 1; round <= ROUNDS; round += 1) {
        await say(session, round)
        await reportRun(session, round)
      }
    }),
  )
  await runtime.settle()
}

/** Says everything, then reports the runs; no job is done. */
async function talkBeforehand({ say, reportRun }: Loam): Promise<void> {
  for (const session of sessions) {
    for (let round = 1; round <= ROUNDS; round += 1) await say(session, round)
    for (let run = 1; run <= ROUNDS; run += 1) await reportRun(session, run)
  }
}

/** A bus that hands over every message three times, in no order, the last time when it is long done. */
function createUnrulyBus(random: Random): EventBus & { readonly handled: () => number } {
  const handlers = new Map<string, DeliveryHandler>()
  const work = new AbortController()
  const inHand = new Set<Promise<void>>()
  let handled = 0

  async function hand(message: DeliveryMessage, delayMs: number): Promise<void> {
    await delay(delayMs)
    handled += 1
    await handlers.get(message.consumer)?.(message, { signal: work.signal })
  }
  return {
    handled: () => handled,
    async publish(messages) {
      for (const message of messages) {
        for (const delayMs of [random.below(30), random.below(30), 100 + random.below(400)]) {
          const copy = hand(message, delayMs).finally(() => inHand.delete(copy))
          inHand.add(copy)
        }
      }
    },
    async subscribe(consumer, handler) {
      handlers.set(consumer, handler)
    },
    async ping() {},
    async close() {
      await Promise.all(inHand)
    },
  }
}

describe.skipIf(postgresTestUrl() === undefined)(`every event, seed ${seed}`, () => {
  it(
    'leaves the same when the bus delivers it three times in no order',
    async () => {
      const once = await withLoam({}, talkWhileStarted)
      const bus = createUnrulyBus(createRandom(seed))
      const often = await withLoam({ bus }, async (loam) => {
        await talkWhileStarted(loam)
        await bus.close()
      })
      expect(bus.handled()).toBeGreaterThanOrEqual(3 * SESSIONS * ROUNDS)
      expect(often).toEqual(once)
      expect(once.episodes.length).toBeGreaterThanOrEqual(SESSIONS * ROUNDS)
    },
    PATIENCE,
  )

  it(
    'leaves the same when its handler gets it twice, in no order and at the same time',
    async () => {
      const once = await withLoam({}, async (loam) => {
        await talkBeforehand(loam)
        await loam.runtime.start()
        await loam.runtime.settle()
      })
      const random = createRandom(seed)
      const twice = await withLoam({}, async (loam) => {
        await talkBeforehand(loam)
        const events = await eventsOf(loam.sql)
        expect(events).toHaveLength(SESSIONS * ROUNDS)
        await handleAll(loam.runtime, random.shuffle([...events, ...events]))
      })
      expect(withoutDeliveries(twice)).toEqual(withoutDeliveries(once))
      expect(once.episodes.length).toBeGreaterThan(SESSIONS)
    },
    PATIENCE,
  )
})

/** Without what says how it was delivered. */
function withoutDeliveries(dump: Dump): Partial<Dump> {
  return { ...dump, deliveries: [] }
}

async function eventsOf(sql: postgres.Sql): Promise<LoamEvent[]> {
  const rows = await sql`
    select id, tenant_id as "tenantId", agent_id as "agentId", user_id as "userId", type, payload,
      occurred_at as "occurredAt" from loam.events where type = 'run.completed'`
  return rows.map((row) => eventSchema.parse({ ...row }))
}

/** Calls the consumer's handler for one event after another, several at once. */
async function handleAll(runtime: Runtime, events: readonly LoamEvent[]): Promise<void> {
  const { handlers } = createConsolidation({
    storage: runtime.storage,
    memory: runtime.memory,
    clock: runtime.clock,
    generateId: runtime.generateId,
  })
  const handler = handlers['run.completed.episodic']
  if (!handler) throw new Error('There is no such consumer.')
  const waiting = [...events]
  const { signal } = new AbortController()
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let event = waiting.shift(); event; event = waiting.shift()) {
        await handler(event, { signal, jobId: generateId() })
      }
    }),
  )
}
