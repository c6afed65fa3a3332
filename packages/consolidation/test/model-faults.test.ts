import {
  LimitError,
  LoamError,
  fixedClock,
  type ChatModel,
  type EmbeddingModel,
  isModelMisconfigured,
} from '@loam/core'
import {
  createOpenAiChatModel,
  createOpenAiEmbeddingModel,
  createUsageMeter,
  meteredChatModel,
} from '@loam/models'
import {
  MODEL_FAULTS,
  startModelServer,
  type ModelFault,
  type ModelFaultName,
} from '@loam/models/testing'
import type { Storage } from '@loam/storage'
import { createTestStorage } from '@loam/storage-postgres/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld } from './world.js'

let storage: Storage
beforeAll(async () => {
  storage = await createTestStorage()
})
afterAll(() => storage.close())

const trip = [
  'We fly to Lisbon on 3 June with Bob Smith, and we stay for a week.',
  'Great! Shall I look for a hotel near the river for the two of you?',
  'Yes please, the budget is 900 euros, and Bob wants a balcony. We decided against the hostel.',
]
const GOOD = {
  summary: 'Ann and Bob Smith fly to Lisbon on 3 June 2026.',
  abstract: 'A trip to Lisbon.',
  topics: ['Lisbon', 'Bob Smith'],
}
const GOOD_TEXT = JSON.stringify(GOOD)

const names = Object.keys(MODEL_FAULTS) as ModelFaultName[]
const CHAT_FAULTS = names.filter((name) => 'chat' in MODEL_FAULTS[name])
const EMBEDDING_FAULTS = names.filter((name) => 'embeddings' in MODEL_FAULTS[name])

/** Requests beyond the first: the schema said in the prompt, the repair, the question about a harmless text. */
const MORE_REQUESTS: Partial<Record<ModelFaultName, number>> = {
  refusal: 1,
  truncatedText: 1,
  emptyText: 1,
  wrongShape: 1,
}
const requestsFor = (name: ModelFaultName) => 1 + (MORE_REQUESTS[name] ?? 0)

/** A server that has the fault until it is mended, for chat and embeddings. */
async function startFaulty(name: ModelFaultName) {
  const fault: ModelFault = MODEL_FAULTS[name]
  let mended = false
  const server = await startModelServer({
    chat: () => (mended ? GOOD_TEXT : (fault.chat?.(GOOD_TEXT) ?? GOOD_TEXT)),
    embeddings: ({ body }) => {
      const good = (body.input as string[]).map(() => [1, 0])
      return mended ? good : (fault.embeddings?.(good) ?? good)
    },
  })
  // Short while nothing comes anyway; nobody knows how busy the machine is that runs the tests.
  const timeoutMs = () => (name === 'hang' && !mended ? 500 : 10_000)
  const target = { baseUrl: server.baseUrl, model: 'small', maxRetries: 0 }
  const model = createOpenAiChatModel(target)
  const chat: ChatModel = {
    ...model,
    chatObject: (request, context) =>
      model.chatObject({ ...request, timeoutMs: timeoutMs() }, context),
  }
  const embeddings: EmbeddingModel = {
    ...createOpenAiEmbeddingModel({ ...target, dimensions: 2 }),
    embed: (texts, context) =>
      createOpenAiEmbeddingModel({ ...target, dimensions: 2, timeoutMs: timeoutMs() }).embed(
        texts,
        context,
      ),
  }
  return {
    server,
    fault,
    chat,
    embeddings,
    mend: () => {
      mended = true
    },
    [Symbol.asyncDispose]: () => server.close(),
  }
}

type World = Awaited<ReturnType<typeof createWorld>>

/** What is stored, and whether it is found by its words. */
async function stateOf(world: World) {
  const episodes = await world.episodes()
  const request = { query: 'Lisbon', sources: ['episodes'] as const }
  const { results } = await world.memory.search(world.scope, request)
  return {
    episodes: episodes.map(({ firstSequence, lastSequence, method, summary }) => ({
      firstSequence,
      lastSequence,
      method,
      ...(method === 'model' && { summary }),
    })),
    found: results.map(({ episodeId }) => episodeId === episodes[0]?.id),
  }
}

const NOTHING = { episodes: [], found: [] }
const BY_RULES = {
  episodes: [{ firstSequence: 1, lastSequence: 3, method: 'rules' }],
  found: [true],
}
const BY_MODEL = {
  episodes: [{ firstSequence: 1, lastSequence: 3, method: 'model', summary: GOOD.summary }],
  found: [true],
}

describe('the episodic handler, when the chat endpoint', () => {
  it.each(CHAT_FAULTS)('has the fault %s', async (name) => {
    await using faulty = await startFaulty(name)
    const { server, fault, chat, mend } = faulty
    const world = await createWorld(storage, { chat })
    await world.say(trip)
    const event = await world.run()
    const failure: unknown = await world.handle(event).catch((error: unknown) => error)
    expect(server.count('chat')).toBe(requestsFor(name))

    // What passes or can be mended is tried again later; what stays is left to rules, which say so.
    const isMisconfigured = isModelMisconfigured(failure)
    expect(isMisconfigured).toBe(name === 'unauthorized' || name === 'notFound')
    const mayPass = fault.nature === 'passes' || isMisconfigured
    expect(LoamError.isInstance(failure) && (failure.retryable || isMisconfigured)).toBe(mayPass)
    const others = fault.nature === 'stays' ? BY_RULES : BY_MODEL
    expect(await stateOf(world)).toEqual(mayPass ? NOTHING : others)

    mend()
    const before = server.count('chat')
    await expect
      .poll(() => world.handle(event).then(() => 'done'), { timeout: 10_000 })
      .toBe('done')
    expect(await stateOf(world)).toEqual(mayPass ? BY_MODEL : others)
    expect(server.count('chat') - before).toBe(mayPass ? 1 : 0)
    await world.handle(event)
    expect(await stateOf(world)).toEqual(mayPass ? BY_MODEL : others)
  })

  it('has no quota left, is asked again after an hour and not replaced by rules', async () => {
    await using faulty = await startFaulty('quota')
    const world = await createWorld(storage, { chat: faulty.chat })
    await world.say(trip)
    await expect(world.handle(await world.run())).rejects.toMatchObject({
      code: 'model_failed',
      reason: 'quota_exceeded',
      retryAfterMs: 3_600_000,
    })
  })
})

describe('the episodic handler, when the embedding endpoint', () => {
  it.each(EMBEDDING_FAULTS)('has the fault %s', async (name) => {
    await using faulty = await startFaulty(name)
    const { server, embeddings, mend } = faulty
    const world = await createWorld(storage, { embeddings })
    await world.say(trip)
    const event = await world.run()
    const before = server.count('embeddings')
    await world.handle(event)
    expect(server.count('embeddings') - before).toBe(name === 'refusal' ? 2 : 1)
    expect(await stateOf(world)).toEqual(BY_RULES)

    mend()
    await world.handle(event)
    expect(await stateOf(world)).toEqual(BY_RULES)
    await world.memory.embedMissing(world.access)
    expect(await world.memory.embedMissing(world.access)).toBe(0)
  })
})

describe('the episodic handler, when the tenant’s daily limit is reached', () => {
  it('waits, and makes the one episode when there is room again', async () => {
    await using faulty = await startFaulty('slow')
    const clock = fixedClock('2026-05-01T22:00:00Z')
    const meter = createUsageMeter({ storage, limits: { tokens: 3_000 }, clock })
    const chat = meteredChatModel(faulty.chat, meter)
    const world = await createWorld(storage, { chat })
    await storage.transaction(
      { tenantId: world.scope.tenantId, everyUser: true },
      ({ modelCalls }) =>
        modelCalls.begin(
          {
            id: world.scope.agentId,
            scope: world.scope,
            task: 'something.else',
            kind: 'chat',
            provider: 'test',
            model: 'large',
            startedAt: clock.now(),
            reserved: { tokens: 2_000, costNanoUsd: 0 },
          },
          { tokens: 3_000 },
        ),
    )
    await world.say(trip)
    const event = await world.run()
    const failure: unknown = await world.handle(event).catch((error: unknown) => error)
    expect(LimitError.isInstance(failure)).toBe(true)
    expect(failure).toMatchObject({ retryable: true, retryAfterMs: 900_000 })
    expect(faulty.server.count('chat')).toBe(0)
    expect(await stateOf(world)).toEqual(NOTHING)

    clock.advance(2 * 3_600_000)
    await world.handle(event)
    expect(await stateOf(world)).toEqual(BY_MODEL)
    expect(faulty.server.count('chat')).toBe(1)
  })
})
