import {
  LimitError,
  ModelError,
  fixedClock,
  generateId,
  type ChatModel,
  type ModelCallContext,
  type ModelUsage,
} from '@loam/core'
import type { DailyModelLimits, Storage } from '@loam/storage'
import { createTestStorage } from '@loam/storage-postgres/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  createLocalEmbeddings,
  createOpenAiChatModel,
  createOpenAiEmbeddingModel,
  createUsageMeter,
  meteredChatModel,
  meteredEmbeddingModel,
  type TokenPrice,
} from '../src/index.js'
import { startModelServer, type ModelReply, type ModelServer } from '../src/testing/index.js'
import { recordingLogger } from './recording-logger.js'

let storage: Storage
beforeAll(async () => {
  storage = await createTestStorage()
})
afterAll(() => storage.close())

const servers: ModelServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

const NOON = '2026-11-30T12:00:00Z'
const messages = [{ role: 'user' as const, content: 'Who was it?' }]
const schema = z.object({ name: z.string() })
/** Two dollars for a million tokens of input and ten of output: 2,000 and 10,000 nano-dollars for one. */
const PRICE: TokenPrice = { input: 2, output: 10 }

const usage = (inputTokens: number, outputTokens: number): ModelUsage => ({
  inputTokens,
  outputTokens,
})
const cost = (prompt_tokens: number, completion_tokens: number) => ({
  text: '{"name":"Ada"}',
  usage: { prompt_tokens, completion_tokens },
})

/** A tenant, a server that gives the replies in turn, and metered models in front of it. */
async function setUp({
  replies = ['Hi'],
  limits,
  price,
}: {
  replies?: readonly ModelReply[]
  limits?: DailyModelLimits
  price?: TokenPrice
} = {}) {
  const tenantId = generateId()
  await storage.transaction({ tenantId, everyUser: true }, ({ tenants }) =>
    tenants.ensure({ slug: tenantId, name: 'Test' }),
  )
  const next = ({ index }: { index: number }) => replies[Math.min(index, replies.length - 1)]!
  const server = await startModelServer({ chat: next, embeddings: next })
  servers.push(server)
  const clock = fixedClock(NOON)
  const { logger, lines } = recordingLogger()
  const meterWith = (given: DailyModelLimits | undefined) =>
    createUsageMeter({ storage, limits: given, clock, logger })
  const meter = meterWith(limits)
  const target = { baseUrl: server.baseUrl, model: 'test-model', maxRetries: 0 }
  const chatOf = (chosen = meter) => meteredChatModel(createOpenAiChatModel(target), chosen, price)
  const embeddings = meteredEmbeddingModel(
    createOpenAiEmbeddingModel({ ...target, dimensions: 2, batchSize: 1 }),
    meter,
    price,
  )
  const context: ModelCallContext = {
    scope: { tenantId, agentId: generateId(), userId: 'ada' },
    task: 'test',
  }
  return {
    server,
    clock,
    lines,
    meter,
    meterWith,
    chatOf,
    chat: chatOf(),
    embeddings,
    context,
    ask: (maxOutputTokens = 100) => chatOf().chat({ messages, maxOutputTokens }, context),
    totals: () =>
      storage.transaction({ tenantId, everyUser: true }, ({ modelCalls }) =>
        modelCalls.totals(new Date(0)),
      ),
  }
}

async function limitOf(call: Promise<unknown>): Promise<LimitError> {
  const error: unknown = await call.catch((reason: unknown) => reason)
  if (!LimitError.isInstance(error)) throw new Error('expected a LimitError', { cause: error })
  return error
}

describe('a metered chat model', () => {
  it('records tokens and price of an answer', async () => {
    const { ask, totals } = await setUp({ replies: [cost(7, 3)], price: PRICE })
    expect((await ask()).usage).toEqual(usage(7, 3))
    expect(await totals()).toEqual({
      calls: 1,
      inputTokens: 7,
      outputTokens: 3,
      charged: { tokens: 10, costNanoUsd: 7 * 2_000 + 3 * 10_000 },
    })
  })

  it('counts an answer that does not fit and its repair', async () => {
    const { chat, context, totals } = await setUp({
      replies: [{ ...cost(10, 2), text: 'no JSON' }, cost(20, 4)],
    })
    const request = { messages, schema, schemaName: 'person' }
    expect(await chat.chatObject(request, context)).toEqual({ name: 'Ada' })
    expect(await totals()).toMatchObject({ calls: 1, inputTokens: 30, outputTokens: 6 })
  })

  it('counts both also when the repair does not fit', async () => {
    const bad = { ...cost(10, 2), text: 'no JSON' }
    const { chat, context, totals } = await setUp({ replies: [bad, bad] })
    const request = { messages, schema, schemaName: 'person' }
    await expect(chat.chatObject(request, context)).rejects.toThrow('does not fit')
    expect(await totals()).toMatchObject({ inputTokens: 20, charged: { tokens: 24 } })
  })

  it('passes on what it is told', async () => {
    const { chat, context } = await setUp({ replies: [cost(7, 3)] })
    const told: unknown[] = []
    await chat.chat({ messages }, { ...context, onUsage: (each) => told.push(each) })
    expect(told).toEqual([usage(7, 3)])
  })

  it('charges the estimate while nobody knows, and leaves the tokens open', async () => {
    const { ask, totals } = await setUp({ replies: [{ text: 'Hi', usage: null }], price: PRICE })
    await ask()
    const { charged, ...counted } = await totals()
    expect(counted).toEqual({ calls: 1, inputTokens: 0, outputTokens: 0 })
    expect(charged.tokens).toBeGreaterThan(100)
    expect(charged.tokens).toBeLessThan(120)
    expect(charged.costNanoUsd).toBeGreaterThan(100 * 10_000)
  })

  it.each([
    ['refuses', { status: 400 }, 0],
    ['is overloaded', { status: 503 }, 0],
    ['breaks off its answer', { cut: true }, 107],
    ['answers with half of a body', { raw: '{' }, 107],
  ] as const)('charges for an endpoint that %s what it may bill', async (_, reply, expected) => {
    const { ask, totals } = await setUp({ replies: [reply] })
    await expect(ask()).rejects.toThrow(ModelError)
    expect(await totals()).toMatchObject({ calls: 1, charged: { tokens: expected } })
  })

  it('charges the estimate for an answer that nobody waited for', async () => {
    const { chat, context, server, totals } = await setUp({ replies: [{ hang: true }] })
    const controller = new AbortController()
    const call = chat.chat({ messages }, { ...context, signal: controller.signal })
    await expect.poll(() => server.count('chat')).toBe(1)
    controller.abort(new Error('the user left'))
    await expect(call).rejects.toThrow('the user left')
    expect((await totals()).charged.tokens).toBeGreaterThan(1_000)
  })

  it('takes the usage of the result from a model that tells nothing', async () => {
    const { meter, context, totals } = await setUp()
    const silent: ChatModel = {
      provider: 'test',
      model: 'silent',
      chat: async () => ({ text: 'Hi', finishReason: 'stop', usage: usage(5, 6) }),
      chatObject: () => Promise.reject(new Error('Only chat is expected.')),
    }
    await meteredChatModel(silent, meter).chat({ messages }, context)
    expect(await totals()).toMatchObject({ inputTokens: 5, outputTokens: 6 })
  })

  it('records a call before it is sent, with no transaction open meanwhile', async () => {
    const { chat, context, totals, server } = await setUp({
      replies: [{ text: 'Hi', delayMs: 200 }],
    })
    const call = chat.chat({ messages }, context)
    await expect.poll(() => server.count('chat')).toBe(1)
    // PGlite has one connection: this would wait for an open transaction.
    expect(await totals()).toMatchObject({ calls: 1, inputTokens: 0 })
    await call
    expect(await totals()).toMatchObject({ calls: 1, inputTokens: 10 })
  })

  it('sends nothing when the call cannot be recorded', async () => {
    const { chat, context, server } = await setUp()
    const scope = { ...context.scope, tenantId: generateId() }
    await expect(chat.chat({ messages }, { ...context, scope })).rejects.toThrow('does not exist')
    expect(server.count('chat')).toBe(0)
  })

  it('gives the answer that was paid for when its outcome cannot be recorded', async () => {
    const { context, server, lines } = await setUp()
    const failing: Pick<Storage, 'modelCalls'> = {
      modelCalls: {
        ...storage.modelCalls,
        finish: () => Promise.reject(new Error('The database is away.')),
      },
    }
    const { logger } = recordingLogger()
    const meter = createUsageMeter({
      storage: failing,
      logger: {
        ...logger,
        warn: (message, fields = {}) => lines.push({ level: 'warn', message, fields }),
      },
    })
    const model = createOpenAiChatModel({ baseUrl: server.baseUrl, model: 'm' })
    const result = await meteredChatModel(model, meter).chat({ messages }, context)
    expect(result.text).toBe('Hi')
    expect(lines).toMatchObject([{ message: 'The outcome of a model call was not recorded.' }])
  })
})

describe('a metered embedding model', () => {
  it('adds up its batches', async () => {
    const { embeddings, context, totals } = await setUp({
      replies: [{ vectors: [[1, 2]], usage: { prompt_tokens: 3, total_tokens: 3 } }],
      price: { input: 0.02 },
    })
    await embeddings.embed(['one', 'two'], context)
    expect(await totals()).toEqual({
      calls: 1,
      inputTokens: 6,
      outputTokens: 0,
      charged: { tokens: 6, costNanoUsd: 120 },
    })
  })

  it('counts what was embedded before a failure', async () => {
    const { embeddings, context, totals } = await setUp({
      replies: [
        { vectors: [[1, 2]], usage: { prompt_tokens: 3, total_tokens: 3 } },
        { status: 500 },
      ],
    })
    await expect(embeddings.embed(['one', 'two'], context)).rejects.toThrow(ModelError)
    expect(await totals()).toMatchObject({ inputTokens: 3, charged: { tokens: 3 } })
  })

  it('is the model itself when its calls stay in the process', async () => {
    const { meter } = await setUp()
    const local = createLocalEmbeddings()
    expect(meteredEmbeddingModel(local, meter)).toBe(local)
  })

  it('says the same of itself as the model', async () => {
    const { embeddings } = await setUp()
    expect(embeddings).toMatchObject({
      provider: 'openai-compatible',
      model: 'test-model',
      dimensions: 2,
      remote: true,
      trust: { vectorWeight: 0.7, minSimilarity: 0.2 },
    })
    expect(embeddings).not.toHaveProperty('languages')
  })
})

describe('the daily limit', () => {
  it('stops new calls with an error that says when to come again, and sends none', async () => {
    const { ask, server, totals } = await setUp({
      replies: [cost(95, 60)],
      limits: { tokens: 200 },
    })
    await ask()
    const error = await limitOf(ask())
    expect(error).toMatchObject({
      retryable: true,
      retryAfterMs: 900_000,
      details: {
        unit: 'tokens',
        cap: 200,
        used: 155,
        needed: 107,
        resetsAt: '2026-12-01T00:00:00.000Z',
      },
    })
    expect(error.message).toContain('155 tokens of the 200 tokens')
    expect(server.count('chat')).toBe(1)
    expect(await totals()).toMatchObject({ calls: 1 })
    // A smaller call still fits.
    await ask(20)
    expect(server.count('chat')).toBe(2)
  })

  it('holds for the price', async () => {
    const { ask } = await setUp({
      replies: [cost(100, 90)],
      price: PRICE,
      limits: { costNanoUsd: 2_000_000 },
    })
    await ask()
    expect(await limitOf(ask(95))).toMatchObject({
      details: { unit: 'usd', cap: 0.002, used: 0.0011 },
    })
  })

  it('asks to wait no longer than until midnight', async () => {
    const { ask, clock } = await setUp({ replies: [cost(95, 95)], limits: { tokens: 200 } })
    clock.advance(12 * 3_600_000 - 60_000)
    await ask()
    expect(await limitOf(ask())).toMatchObject({ retryAfterMs: 60_000 })
    clock.advance(60_000)
    expect((await ask()).text).toBe('{"name":"Ada"}')
  })

  it('lets work go on when it is raised', async () => {
    const { ask, chatOf, meterWith, context } = await setUp({
      replies: [cost(95, 95)],
      limits: { tokens: 200 },
    })
    await ask()
    await limitOf(ask())
    const raised = chatOf(meterWith({ tokens: 1_000 }))
    expect((await raised.chat({ messages, maxOutputTokens: 100 }, context)).text).toContain('Ada')
  })

  it('tells a call that is larger than a whole day that waiting does not help', async () => {
    const { ask, server, totals } = await setUp({ limits: { tokens: 200 } })
    const error = await limitOf(ask(500))
    expect(error).toMatchObject({ retryable: false, retryAfterMs: undefined })
    expect(error.message).toContain('in a whole day, so that waiting does not help')
    expect(server.count('chat')).toBe(0)
    expect(await totals()).toMatchObject({ calls: 0 })
  })

  it('is kept by calls that are made at once', async () => {
    const replies = [{ ...cost(5, 5), delayMs: 50 }]
    const { ask, server } = await setUp({ replies, limits: { tokens: 500 } })
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => ask()))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
    expect(server.count('chat')).toBe(4)
    // What they did not need is there again.
    await Promise.all(Array.from({ length: 4 }, () => ask()))
  })

  it('counts chat and embeddings together', async () => {
    const { embeddings, ask, context } = await setUp({
      replies: [{ vectors: [[1, 2]], usage: { prompt_tokens: 150, total_tokens: 150 } }],
      limits: { tokens: 200 },
    })
    await embeddings.embed(['one'], context)
    expect(await limitOf(ask())).toMatchObject({ details: { used: 150 } })
  })
})
