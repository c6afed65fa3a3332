import {
  fixedClock,
  generateId,
  silentLogger,
  type ChatModel,
  type EmbeddingModel,
  type EventOf,
  type LoamEvent,
  type Scope,
} from '@loam/core'
import { createMemory, type MessageInput } from '@loam/memory'
import type { Storage } from '@loam/storage'
import { EPISODIC_CONSUMER, createConsolidation } from '../src/index.js'

/** Gives every text the same vector; these tests find by words. */
const constantEmbeddings: EmbeddingModel = {
  provider: 'test',
  model: 'constant',
  dimensions: 2,
  trust: { vectorWeight: 0, minSimilarity: 0 },
  remote: false,
  embed: async (texts) => texts.map(() => [1, 0]),
}

/** A tenant of its own in a store, with an agent and a conversation. */
export async function createWorld(
  storage: Storage,
  options: {
    readonly settings?: Readonly<Record<string, unknown>>
    readonly chat?: ChatModel
    readonly embeddings?: EmbeddingModel
  } = {},
) {
  const { embeddings = constantEmbeddings } = options
  const scope: Scope = { tenantId: generateId(), agentId: generateId(), userId: 'ann' }
  const { tenantId, agentId, userId } = scope
  const access = { tenantId, userId }
  const clock = fixedClock('2026-05-01T10:00:00Z')
  await storage.transaction({ tenantId, everyUser: true }, async (stores) => {
    await stores.tenants.ensure({ slug: tenantId, name: 'Test' })
    await stores.agents.create({
      id: agentId,
      key: 'helper',
      type: 'open',
      displayName: undefined,
      description: undefined,
      settings: { consolidation: options.settings ?? {} },
    })
  })
  const memory = createMemory({ storage, embeddings, clock })
  const consolidation = createConsolidation({
    storage,
    memory,
    clock,
    chat: options.chat,
    logger: silentLogger,
  })

  /** Says these things in turn; those given as text alternate between user and assistant. */
  async function say(
    contents: readonly (string | MessageInput)[],
    sessionKey = 'chat',
  ): Promise<number> {
    const { session } = await memory.storeMessages(
      scope,
      { key: sessionKey },
      contents.map((content, index) =>
        typeof content === 'string'
          ? { role: index % 2 === 0 ? 'user' : 'assistant', content }
          : content,
      ),
    )
    return session.lastSequence
  }

  /** A run up to `lastSequence`, by default the last message. */
  async function run(
    given: {
      readonly lastSequence?: number
      readonly compactionSummary?: string
      readonly sessionKey?: string
    } = {},
  ): Promise<EventOf<'run.completed'>> {
    const { sessionKey = 'chat', compactionSummary } = given
    return storage.transaction(access, async (stores) => {
      const session = await stores.sessions.findByKey(agentId, sessionKey)
      if (!session) throw new Error(`There is no session ${sessionKey}.`)
      const lastSequence = given.lastSequence ?? session.lastSequence
      const id = generateId()
      const eventId = generateId()
      await stores.runs.insertIfNew({
        id,
        sessionId: session.id,
        runId: id,
        status: 'completed',
        compactionSummary,
        usage: undefined,
        lastSequence,
        eventId,
      })
      return {
        type: 'run.completed',
        id: eventId,
        ...scope,
        occurredAt: clock.now(),
        payload: { runId: id, sessionId: session.id, lastSequence },
      }
    })
  }

  /** Forgets messages of the session, and returns the events about episodes that were withdrawn. */
  async function forget(
    sequences: readonly number[],
    sessionKey = 'chat',
  ): Promise<EventOf<'episode.withdrawn'>[]> {
    const { withdrawn } = await storage.transaction(access, async (stores) => {
      const session = await stores.sessions.findByKey(agentId, sessionKey)
      const ids = sequences.map((sequence) => `message:${session?.id}:${sequence}`)
      return await stores.userData.forget(agentId, userId, ids)
    })
    return withdrawn.map((payload) => ({
      type: 'episode.withdrawn',
      id: generateId(),
      ...scope,
      occurredAt: clock.now(),
      payload,
    }))
  }

  async function handle(event: LoamEvent): Promise<void> {
    const handler = consolidation.handlers[EPISODIC_CONSUMER]
    await handler?.(event, { signal: new AbortController().signal, jobId: generateId() })
  }

  /** In order of the conversation. */
  async function episodes() {
    const { items } = await storage.transaction(access, (stores) =>
      stores.episodes.list(agentId, { limit: 200, now: clock.now() }),
    )
    return items.toSorted((a, b) => a.firstSequence - b.firstSequence)
  }

  return {
    scope,
    access,
    clock,
    storage,
    memory,
    consolidation,
    say,
    run,
    forget,
    handle,
    episodes,
    /** First and last sequence of each episode. */
    stretches: async () =>
      (await episodes()).map(({ firstSequence, lastSequence }) => [firstSequence, lastSequence]),
  }
}
