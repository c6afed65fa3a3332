import { InvalidInputError, generateId } from '@loam/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestStorage, postgresTestUrl } from '../src/testing/index.js'
import type { PostgresStorage } from '../src/index.js'

const engines = [
  { engine: 'pglite', skipped: false },
  { engine: 'postgres', skipped: postgresTestUrl() === undefined },
] as const

/** A vector in the plane of the first two axes. */
const direction = (degrees: number, dimensions: number) => {
  const vector = Array<number>(dimensions).fill(0)
  vector[0] = Math.cos((degrees * Math.PI) / 180)
  vector[1] = Math.sin((degrees * Math.PI) / 180)
  return vector
}

describe.each(engines)('vector indexes on $engine', ({ engine, skipped }) => {
  let storage: PostgresStorage | undefined
  const statements: string[] = []
  const [tenantId, agentId] = [generateId(), generateId()]
  const access = { tenantId, userId: 'ada' } as const

  const opened = () => {
    if (storage === undefined) throw new Error('The store was not opened.')
    return storage
  }

  beforeAll(async () => {
    if (skipped) return
    storage = await createTestStorage({
      engine,
      exactVectorSearchLimit: 50,
      statementLogger: { logQuery: (query) => void statements.push(query) },
    })
    await storage.transaction({ tenantId, everyUser: true }, async (stores) => {
      await stores.tenants.ensure({ slug: 'test', name: 'Test' })
      const agent = { id: agentId, key: 'agent', type: 'open', settings: {} } as const
      await stores.agents.create({ ...agent, displayName: undefined, description: undefined })
    })
  })
  afterAll(async () => {
    await storage?.close()
  })

  /** Makes a space, and a chunk for each of the vectors. */
  async function addVectors(
    userId: string,
    dimensions: number,
    vectors: readonly (readonly number[])[],
  ) {
    const documentId = generateId()
    const chunks = vectors.map(() => ({
      id: generateId(),
      agentId,
      userId,
      owner: { source: 'documents', documentId } as const,
      position: 1,
      part: 0,
      text: 'text',
      occurredAt: new Date(),
      terms: new Map([['text', 1]]),
    }))
    const spaceId = await opened().transaction({ tenantId, userId }, async (stores) => {
      const space = { provider: 'test', model: 'model', dimensions }
      const { id } = await stores.embeddingSpaces.ensure(space)
      await stores.documents.put({
        id: documentId,
        agentId,
        userId,
        path: `${documentId}.md`,
        content: '',
        hash: '',
        indexState: 'pending',
        indexedHash: undefined,
        indexSettings: undefined,
      })
      await stores.chunks.insert(chunks)
      await stores.embeddingSpaces.putVectors(
        id,
        chunks.map(({ id: chunkId }, index) => ({ chunkId, vector: vectors[index] ?? [] })),
      )
      return id
    })
    return { spaceId, chunkIds: chunks.map(({ id }) => id) }
  }

  const nearest = (spaceId: number, vector: readonly number[], limit: number) =>
    opened().transaction(access, ({ chunks }) =>
      chunks.nearest(
        { agentId, sources: ['documents'], now: new Date() },
        { spaceId, vector, limit },
      ),
    )

  it.skipIf(skipped).each([
    { dimensions: 3, type: 'vector' },
    { dimensions: 2001, type: 'halfvec' },
  ])('find the same as comparing all, in a space of $dimensions', async ({ dimensions, type }) => {
    const degrees = Array.from({ length: 120 }, (_, index) => index)
    const vectors = degrees.map((each) => direction(each, dimensions))
    const { spaceId } = await addVectors('ada', dimensions, [
      ...vectors,
      direction(0, dimensions).fill(0),
    ])
    await addVectors('bob', dimensions, vectors)
    const query = direction(30.2, dimensions)
    const exact = await nearest(spaceId, query, 10)
    await opened().createVectorIndex(spaceId)
    await opened().createVectorIndex(spaceId)
    statements.length = 0
    const indexed = await nearest(spaceId, query, 10)
    expect(indexed.map(({ chunkId }) => chunkId)).toEqual(exact.map(({ chunkId }) => chunkId))
    expect(indexed[0]?.similarity).toBeCloseTo(exact[0]?.similarity ?? 0, 2)
    expect(statements.some((each) => each.includes(`::${type}(${dimensions}) <=>`))).toBe(true)
    // More than the index yields is then taken by comparing all.
    expect(await nearest(spaceId, query, 120)).toHaveLength(120)
  })

  it.skipIf(skipped)(
    'cannot be made for more dimensions than they hold, where all are compared',
    async () => {
      const dimensions = 4001
      const vectors = [direction(0, dimensions), direction(90, dimensions)]
      const { spaceId, chunkIds } = await addVectors('ada', dimensions, vectors)
      await expect(opened().createVectorIndex(spaceId)).rejects.toSatisfy(
        (error) => InvalidInputError.isInstance(error) && error.message.includes('4001'),
      )
      const found = await nearest(spaceId, direction(80, dimensions), 1)
      expect(found.map(({ chunkId }) => chunkId)).toEqual([chunkIds[1]])
    },
  )
})
