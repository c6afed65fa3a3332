import { LimitError, fixedClock, generateId, type EmbeddingModel } from '@loam/core'
import { createUsageMeter, meteredEmbeddingModel } from '@loam/models'
import { DEFAULT_TENANT_ID } from '@loam/storage'
import { describe, expect, it } from 'vitest'
import { useStorage } from './memory-fixture.js'
import { startRemoteMemory } from './remote-embeddings.js'

const { storage, newScope } = useStorage()

/** A memory whose embedding model takes no text with a certain word. */
function refusing() {
  return startRemoteMemory({
    storage: storage(),
    reply: (texts) =>
      texts.some((text) => text.includes('forbidden'))
        ? { status: 400, error: { message: 'The content is not allowed.' } }
        : undefined,
  })
}

describe('a text that the embedding model refuses', () => {
  it('is found by its words, costs the others nothing, and is not asked for again', async () => {
    await using world = await refusing()
    const { memory, server } = world
    const scope = await newScope(generateId())
    const paragraphs = ['my hound', 'the forbidden kettle', 'my car'].map(
      (head) => `${head} ${'filler sentence. '.repeat(50)}`,
    )
    const content = paragraphs.join('\n')
    const { indexing } = await memory.putDocument(scope, { path: 'MEMORY.md', content })
    expect(indexing).toBe('complete')
    const heads = async (query: string) =>
      (await memory.search(scope, { query })).results.map(({ text }) => text.split(' filler')[0])
    expect(await heads('puppy')).toEqual(['my hound'])
    expect(await heads('vehicle')).toEqual(['my car'])
    expect(await heads('kettle')).toEqual(['the forbidden kettle'])
    const before = server.count('embeddings')
    expect(await memory.embedMissing(scope)).toBe(0)
    expect(server.count('embeddings')).toBe(before)
  })

  it('is no obstacle when missing vectors are made', async () => {
    const scope = await newScope(generateId())
    {
      await using away = await startRemoteMemory({
        storage: storage(),
        reply: () => ({ status: 500 }),
      })
      const content = 'a hound\n\n# More\n\nthe forbidden kettle'
      await away.memory.putDocument(scope, { path: 'MEMORY.md', content })
      await away.memory.storeMessages(scope, { key: 's' }, [
        { role: 'user', content: 'forbidden too' },
      ])
    }
    await using world = await refusing()
    await world.memory.embedMissing(scope)
    expect(await world.memory.embedMissing(scope)).toBe(0)
    const document = await world.memory.getDocument(scope, 'MEMORY.md')
    expect(document.indexState).toBe('complete')
  })

  it('is searched for by its words alone', async () => {
    await using world = await refusing()
    const { memory } = world
    const scope = await newScope()
    await memory.putDocument(scope, { path: 'MEMORY.md', content: 'A dog in the kettle.' })
    const { results } = await memory.search(scope, { query: 'forbidden kettle' })
    expect(results.map(({ text }) => text)).toEqual(['A dog in the kettle.'])
    expect(await memory.search(scope, { query: 'forbidden automobile' })).toMatchObject({
      count: 0,
    })
  })
})

describe('a daily limit of the embedding model', () => {
  it('leaves search its words, and lets the vectors follow on the next day', async () => {
    const clock = fixedClock('2031-01-01T23:50:00Z')
    const meter = createUsageMeter({ storage: storage(), limits: { tokens: 12 }, clock })
    await using world = await startRemoteMemory({
      storage: storage(),
      clock,
      wrap: (model: EmbeddingModel) => meteredEmbeddingModel(model, meter),
    })
    const { memory, server } = world
    const scope = await newScope()
    // The scripted server counts ten tokens a request.
    const first = await memory.storeMessages(scope, { key: 's' }, [
      { role: 'user', content: 'a hound' },
    ])
    expect(first.indexState).toBe('complete')
    const second = await memory.storeMessages(scope, { key: 's' }, [
      { role: 'user', content: 'a large automobile' },
    ])
    expect(second.indexState).toBe('lexical')
    const found = await memory.search(scope, { query: 'automobile hound' })
    expect(found.results).toHaveLength(2)
    expect(found.degraded).toMatch(/did not answer \(limit_exceeded\); only words were searched/)
    const request = { groupId: first.session.id }
    const refused: unknown = await memory.embedMissing(scope, request).catch((e: unknown) => e)
    expect(LimitError.isInstance(refused)).toBe(true)
    expect(refused).toMatchObject({ retryAfterMs: 600_000, details: { used: 10, cap: 12 } })
    expect(server.count('embeddings')).toBe(1)

    clock.advance(600_000)
    expect(await memory.embedMissing(scope, request)).toBe(1)
    clock.advance(86_400_000)
    const byMeaning = await memory.search(scope, { query: 'vehicle' })
    expect(byMeaning.results[0]?.text).toBe('user: a large automobile')
    const totals = await storage().transaction(
      { tenantId: DEFAULT_TENANT_ID, everyUser: true },
      ({ modelCalls }) => modelCalls.totals(new Date('2031-01-01T00:00:00Z')),
    )
    expect(totals).toMatchObject({ calls: 3, inputTokens: 30 })
  })
})
