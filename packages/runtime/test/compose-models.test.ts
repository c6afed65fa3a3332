import { LimitError, fixedClock, generateId, silentLogger, type ModelCallContext } from '@loam/core'
import { startModelServer } from '@loam/models/testing'
import { DEFAULT_TENANT_ID, type Storage } from '@loam/storage'
import { createTestStorage } from '@loam/storage-postgres/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { composeModels, type GivenModels } from '../src/compose-models.js'
import { loadConfig } from '../src/load-config.js'

const messages = [{ role: 'user' as const, content: 'Who was it?' }]
const context: ModelCallContext = {
  scope: { tenantId: DEFAULT_TENANT_ID, agentId: generateId(), userId: 'ann' },
  task: 'test',
}

let storage: Storage
beforeAll(async () => {
  storage = await createTestStorage()
  await storage.transaction({ tenantId: DEFAULT_TENANT_ID, everyUser: true }, ({ tenants }) =>
    tenants.ensure({ slug: 'default', name: 'Default' }),
  )
})
afterAll(() => storage.close())

/** Each test has a day of its own, later than those before it. */
const clock = fixedClock('2026-11-30T12:00:00Z')
beforeEach(() => {
  clock.advance(86_400_000)
})

/** An endpoint for chat and embeddings of three numbers, each request at ten tokens and more. */
async function startEndpoint() {
  const server = await startModelServer({
    chat: () => 'Ada',
    embeddings: ({ body }) => (body.input as string[]).map(() => [1, 0, 0]),
  })
  const compose = (env: Readonly<Record<string, string>> = {}, given: GivenModels = {}) => {
    const config = loadConfig(
      {
        LOAM_MODEL_BASE_URL: server.baseUrl,
        LOAM_CHAT_MODEL: 'chat',
        LOAM_EMBEDDING_MODEL: 'embed',
        ...env,
      },
      { cwd: '/' },
    )
    return composeModels(config.model, given, { storage, clock, generateId, logger: silentLogger })
  }
  return { server, compose, [Symbol.asyncDispose]: () => server.close() }
}

const totals = () =>
  storage.transaction({ tenantId: DEFAULT_TENANT_ID, everyUser: true }, ({ modelCalls }) =>
    modelCalls.totals(clock.now()),
  )

describe('composeModels', () => {
  it('uses no model that the configuration does not name', async () => {
    const { model } = loadConfig({}, { cwd: '/' })
    const options = { storage, clock, generateId, logger: silentLogger }
    const { chat, embeddings } = await composeModels(model, {}, options)
    expect(chat).toBeUndefined()
    expect(embeddings.provider).toBe('loam-local')
    await embeddings.embed(['Hello'], context)
    expect(await totals()).toMatchObject({ calls: 0 })
  })

  it('asks for the length of the vectors once, and records that too', async () => {
    await using endpoint = await startEndpoint()
    const { embeddings } = await endpoint.compose({ LOAM_EMBEDDING_PRICE: '0.02' })
    expect(embeddings.dimensions).toBe(3)
    expect(await totals()).toMatchObject({
      calls: 1,
      inputTokens: 10,
      charged: { tokens: 10, costNanoUsd: 200 },
    })
    // From then on the store knows it.
    await storage.transaction(
      { tenantId: DEFAULT_TENANT_ID, everyUser: true },
      ({ embeddingSpaces }) => embeddingSpaces.ensure(embeddings),
    )
    expect((await endpoint.compose()).embeddings.dimensions).toBe(3)
    expect(endpoint.server.count('embeddings')).toBe(1)
  })

  it('records and prices the calls of both models', async () => {
    await using endpoint = await startEndpoint()
    const { chat, embeddings } = await endpoint.compose({
      LOAM_EMBEDDING_DIMENSIONS: '3',
      LOAM_CHAT_PRICE: '2/10',
      LOAM_EMBEDDING_PRICE: '0.02',
    })
    await chat?.chat({ messages }, context)
    await embeddings.embed(['Hello'], context)
    expect(await totals()).toEqual({
      calls: 2,
      inputTokens: 20,
      outputTokens: 5,
      charged: { tokens: 25, costNanoUsd: 10 * 2_000 + 5 * 10_000 + 10 * 20 },
    })
  })

  it.each([
    ['tokens', { LOAM_DAILY_TOKEN_LIMIT: '150' }],
    ['cost', { LOAM_DAILY_COST_LIMIT_USD: '0.0015' }],
  ])('holds both models together to the daily limit of %s', async (_, limit) => {
    await using endpoint = await startEndpoint()
    const { chat, embeddings } = await endpoint.compose({
      LOAM_EMBEDDING_DIMENSIONS: '3',
      LOAM_CHAT_PRICE: '10/10',
      LOAM_EMBEDDING_PRICE: '10',
      ...limit,
    })
    const ask = () => chat?.chat({ messages, maxOutputTokens: 100 }, context)
    await ask()
    await ask()
    await embeddings.embed(['Hello'], context)
    await embeddings.embed(['Hello'], context)
    const refused: unknown = await ask()?.catch((error: unknown) => error)
    expect(LimitError.isInstance(refused)).toBe(true)
    expect(refused).toMatchObject({ retryAfterMs: 900_000 })
    expect(endpoint.server.requests).toHaveLength(4)
  })

  it('meters a model that is given in place of the configured one', async () => {
    await using endpoint = await startEndpoint()
    const given = {
      provider: 'test',
      model: 'given',
      chat: async () => ({
        text: 'Hi',
        finishReason: 'stop' as const,
        usage: { inputTokens: 3, outputTokens: 4 },
      }),
      chatObject: () => Promise.reject(new Error('Only chat is expected.')),
    }
    const { chat } = await endpoint.compose({ LOAM_EMBEDDING_DIMENSIONS: '3' }, { chat: given })
    expect(chat).toMatchObject({ provider: 'test', model: 'given' })
    await chat?.chat({ messages }, context)
    expect(await totals()).toMatchObject({ calls: 1, inputTokens: 3, outputTokens: 4 })
  })

  it('sends no more requests at once than it is told', async () => {
    let inHand = 0
    let most = 0
    await using server = await startModelServer({
      chat: async () => {
        inHand += 1
        most = Math.max(most, inHand)
        await new Promise((resolve) => {
          setTimeout(resolve, 20)
        })
        inHand -= 1
        return 'Hi'
      },
    })
    const { model } = loadConfig(
      {
        LOAM_MODEL_BASE_URL: server.baseUrl,
        LOAM_CHAT_MODEL: 'chat',
        LOAM_MODEL_CONCURRENCY: '2',
      },
      { cwd: '/' },
    )
    const options = { storage, clock, generateId, logger: silentLogger }
    const { chat } = await composeModels(model, {}, options)
    const ask = async () => chat?.chat({ messages }, context)
    await Promise.all(Array.from({ length: 8 }, ask))
    expect(server.count('chat')).toBe(8)
    expect(most).toBeLessThanOrEqual(2)
  })
})
