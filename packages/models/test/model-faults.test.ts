import { LoamError, ModelError, ModelOutputError, VectorDimensionError } from '@loam/core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { createOpenAiChatModel, createOpenAiEmbeddingModel, probeDimensions } from '../src/index.js'
import {
  MODEL_FAULTS,
  startModelServer,
  type ModelFault,
  type ModelFaultName,
  type ModelServer,
} from '../src/testing/index.js'
import { context } from './call-context.js'

const GOOD_TEXT = '{"name":"Ada","city":"London"}'
const schema = z.object({ name: z.string(), city: z.string() })
const messages = [{ role: 'user' as const, content: 'Who was it?' }]
const texts = ['one', 'three']

/** How many requests a fault leads to, and with which reason or code the call fails; it gets its answer all the same if none. */
interface Expected {
  readonly requests: number
  readonly fails?: string
}

const CHAT = {
  rateLimit: { fails: 'rate_limited', requests: 2 },
  rateLimitWithoutTime: { fails: 'rate_limited', requests: 1 },
  quota: { fails: 'quota_exceeded', requests: 1 },
  unauthorized: { fails: 'unauthorized', requests: 1 },
  notFound: { fails: 'not_found', requests: 1 },
  // The schema in the request, and then in the prompt.
  refusal: { fails: 'refused', requests: 2 },
  serverError: { fails: 'unavailable', requests: 1 },
  overload: { fails: 'unavailable', requests: 1 },
  hang: { fails: 'timeout', requests: 1 },
  cut: { fails: 'interrupted', requests: 1 },
  cutChunked: { fails: 'interrupted', requests: 1 },
  malformedBody: { fails: 'malformed', requests: 1 },
  webPage: { fails: 'malformed', requests: 1 },
  slow: { requests: 1 },
  noUsage: { requests: 1 },
  prose: { requests: 1 },
  fence: { requests: 1 },
  truncatedText: { fails: ModelOutputError.code, requests: 2 },
  outOfTokens: { fails: ModelOutputError.code, requests: 1 },
  emptyText: { fails: ModelOutputError.code, requests: 2 },
  wrongShape: { fails: ModelOutputError.code, requests: 2 },
} satisfies Partial<Record<ModelFaultName, Expected>>

const COMMON = {
  rateLimit: CHAT.rateLimit,
  rateLimitWithoutTime: CHAT.rateLimitWithoutTime,
  quota: CHAT.quota,
  unauthorized: CHAT.unauthorized,
  notFound: CHAT.notFound,
  serverError: CHAT.serverError,
  overload: CHAT.overload,
  hang: CHAT.hang,
  cut: CHAT.cut,
  cutChunked: CHAT.cutChunked,
  malformedBody: CHAT.malformedBody,
  webPage: CHAT.webPage,
  slow: CHAT.slow,
  noUsage: CHAT.noUsage,
} satisfies Partial<Record<ModelFaultName, Expected>>

const EMBEDDINGS = {
  ...COMMON,
  // The batch, its half, and the harmless text.
  refusal: { fails: 'refused', requests: 3 },
  wrongDimensions: { fails: VectorDimensionError.code, requests: 1 },
  fewerVectors: { fails: ModelOutputError.code, requests: 1 },
} satisfies Partial<Record<ModelFaultName, Expected>>

const PROBE = {
  ...COMMON,
  refusal: { fails: 'refused', requests: 1 },
  fewerVectors: { fails: ModelOutputError.code, requests: 1 },
} satisfies Partial<Record<ModelFaultName, Expected>>

/** Retries after a pause of its own length are for `endpoint.test.ts`; here only the endpoint's pause is waited for. */
function timesFor(name: ModelFaultName) {
  return {
    maxRetries: name === 'rateLimit' ? 1 : 0,
    timeoutMs: name === 'hang' ? 500 : 10_000,
  }
}

const servers: ModelServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

/** A server that has the fault until it is mended. */
async function start(name: ModelFaultName) {
  const fault: ModelFault = MODEL_FAULTS[name]
  let mended = false
  const server = await startModelServer({
    chat: () => (mended ? GOOD_TEXT : (fault.chat?.(GOOD_TEXT) ?? { status: 404 })),
    embeddings: ({ body }) => {
      const vectors = (body.input as string[]).map((text) => [text.length, 1])
      return mended ? vectors : (fault.embeddings?.(vectors) ?? { status: 404 })
    },
  })
  servers.push(server)
  return {
    fault,
    server,
    target: { baseUrl: server.baseUrl, model: 'test-model', ...timesFor(name) },
    mend: () => {
      mended = true
    },
  }
}

/** Makes the call under the fault, and then again and again without it until it succeeds. */
async function observe<Answer>(
  { server, mend }: Awaited<ReturnType<typeof start>>,
  call: () => Promise<Answer>,
) {
  const outcome = await call().then(
    (answer) => ({ answer }),
    (error: unknown) => failureOf(error),
  )
  const requests = server.requests.length
  mend()
  const afterwards = await vi.waitFor(call, { timeout: 10_000 })
  return { outcome, requests, afterwards }
}

function failureOf(error: unknown) {
  if (!LoamError.isInstance(error)) throw error
  return {
    fails: ModelError.isInstance(error) ? error.reason : error.code,
    retryable: error.retryable,
  }
}

/** What `observe` must have seen. */
function observation<Answer>(expected: Expected, { nature }: ModelFault, good: Answer) {
  const { requests, fails } = expected
  const outcome = fails ? { fails, retryable: nature === 'passes' } : { answer: good }
  return { outcome, requests, afterwards: good }
}

describe('chatObject, when the endpoint', () => {
  it.each(Object.entries(CHAT) as [keyof typeof CHAT, Expected][])(
    'has the fault %s',
    async (name, expected) => {
      const world = await start(name)
      const model = createOpenAiChatModel(world.target)
      const seen = await observe(world, () =>
        model.chatObject({ messages, schema, schemaName: 'person' }, context),
      )
      const good = { name: 'Ada', city: 'London' }
      expect(seen).toEqual(observation(expected, world.fault, good))
    },
  )
})

describe('chat, when the endpoint', () => {
  it.each(Object.entries(COMMON) as [keyof typeof COMMON, Expected][])(
    'has the fault %s',
    async (name, expected) => {
      const world = await start(name)
      const model = createOpenAiChatModel(world.target)
      const seen = await observe(world, async () => {
        const { text } = await model.chat({ messages }, context)
        return text
      })
      expect(seen).toEqual(observation(expected, world.fault, GOOD_TEXT))
    },
  )
})

describe('embed, when the endpoint', () => {
  it.each(Object.entries(EMBEDDINGS) as [keyof typeof EMBEDDINGS, Expected][])(
    'has the fault %s',
    async (name, expected) => {
      const world = await start(name)
      const model = createOpenAiEmbeddingModel({ ...world.target, dimensions: 2 })
      const seen = await observe(world, () => model.embed(texts, context))
      const good = texts.map((text) => [text.length, 1])
      expect(seen).toEqual(observation(expected, world.fault, good))
    },
  )
})

describe('probeDimensions, when the endpoint', () => {
  it.each(Object.entries(PROBE) as [keyof typeof PROBE, Expected][])(
    'has the fault %s',
    async (name, expected) => {
      const world = await start(name)
      const seen = await observe(world, () => probeDimensions(world.target, context))
      expect(seen).toEqual(observation(expected, world.fault, 2))
    },
  )
})

it('is known for each fault what every call makes of it', () => {
  const names = Object.keys(MODEL_FAULTS) as ModelFaultName[]
  const of = (kind: 'chat' | 'embeddings') =>
    names.filter((name) => kind in MODEL_FAULTS[name]).toSorted()
  expect(Object.keys(CHAT).toSorted()).toEqual(of('chat'))
  expect(Object.keys(EMBEDDINGS).toSorted()).toEqual(of('embeddings'))
  // To a probe whatever length comes is the length.
  expect([...Object.keys(PROBE), 'wrongDimensions'].toSorted()).toEqual(of('embeddings'))
})
