import { InvalidInputError, NotFoundError, VectorDimensionError, generateId } from '@loam/core'
import { describe, expect, it } from 'vitest'
import type { ChunkSource } from '../chunks.js'
import { NOW, sampleChunk, sampleDocument } from './samples.js'
import type { OpenedStorage } from './suite.js'
import { createWorld, type World } from './world.js'

const SPACE = { provider: 'test', model: 'three', dimensions: 3 }
const SOURCES: readonly ChunkSource[] = ['documents']

async function addChunks(world: World, userId: string, texts: readonly string[], path = 'a.md') {
  const document = sampleDocument({ agentId: world.agentId, userId, path })
  const owner = { source: 'documents', documentId: document.id } as const
  const made = texts.map((text) =>
    sampleChunk({ agentId: world.agentId, userId, owner, text, path }),
  )
  await world.as(userId, async ({ documents, chunks }) => {
    await documents.put(document)
    await chunks.insert(made)
  })
  return { documentId: document.id, ids: made.map(({ id }) => id) }
}

const spaceOf = (world: World, space = SPACE) =>
  world.as('', ({ embeddingSpaces }) => embeddingSpaces.ensure(space))

const put = (
  world: World,
  userId: string,
  spaceId: number,
  vectors: readonly (readonly [string | undefined, readonly number[]])[],
) =>
  world.as(userId, ({ embeddingSpaces }) =>
    embeddingSpaces.putVectors(
      spaceId,
      vectors.map(([chunkId = '', vector]) => ({ chunkId, vector })),
    ),
  )

const nearest = (
  world: World,
  userId: string,
  spaceId: number,
  vector: readonly number[],
  filter: { sources?: readonly ChunkSource[]; pathPrefix?: string } = {},
  limit = 10,
) =>
  world.as(userId, ({ chunks }) =>
    chunks.nearest(
      { agentId: world.agentId, sources: SOURCES, now: NOW, ...filter },
      { spaceId, vector, limit },
    ),
  )

/** Embedding spaces, vectors, and the search by them. */
export function describeVectors(opened: OpenedStorage): void {
  describe('embedding spaces', () => {
    it('makes a space once, also when many ask at once, and one for each length', async () => {
      const world = await createWorld(opened())
      const model = `model-${generateId()}`
      const space = { provider: 'test', model, dimensions: 4 }
      const made = await Promise.all(Array.from({ length: 4 }, () => spaceOf(world, space)))
      expect(new Set(made.map(({ id }) => id)).size).toBe(1)
      expect(made[0]).toEqual({ ...space, id: made[0]?.id })
      const longer = await spaceOf(world, { ...space, dimensions: 8 })
      expect(longer.id).not.toBe(made[0]?.id)
      const listed = await world.as('', ({ embeddingSpaces }) => embeddingSpaces.list())
      expect(listed).toEqual(expect.arrayContaining([made[0], longer]))
    })

    it.each([0, -1, 1.5, 16_001])('refuses a space of %d dimensions', async (dimensions) => {
      const world = await createWorld(opened())
      await expect(spaceOf(world, { ...SPACE, dimensions })).rejects.toSatisfy((error) =>
        InvalidInputError.isInstance(error),
      )
    })
  })

  describe('nearest', () => {
    it('returns the nearest first, of the user and the shared part alone', async () => {
      const world = await createWorld(opened())
      const { id } = await spaceOf(world)
      const own = await addChunks(world, 'ada', ['x', 'y', 'opposite'])
      const shared = await addChunks(world, '', ['between'], 'b.md')
      const others = await addChunks(world, 'bob', ['x'])
      await put(world, 'ada', id, [
        [own.ids[0], [1, 0, 0]],
        [own.ids[1], [0, 5, 0]],
        [own.ids[2], [-1, 0, 0]],
      ])
      await put(world, '', id, [[shared.ids[0], [2, 2, 0]]])
      await put(world, 'bob', id, [[others.ids[0], [1, 0, 0]]])
      const found = await nearest(world, 'ada', id, [3, 1, 0])
      expect(found.map(({ chunkId }) => chunkId)).toEqual([
        own.ids[0],
        shared.ids[0],
        own.ids[1],
        own.ids[2],
      ])
      expect(found[0]?.similarity).toBeCloseTo(3 / Math.sqrt(10), 5)
      expect(found[3]?.similarity).toBeCloseTo(-3 / Math.sqrt(10), 5)
      expect(await nearest(world, 'ada', id, [3, 1, 0], {}, 2)).toEqual(found.slice(0, 2))
    })

    it('restricts by source, path and hidden documents, and looks further for enough of the rest', async () => {
      const world = await createWorld(opened())
      const { id } = await spaceOf(world)
      const hidden = await addChunks(world, '', Array<string>(60).fill('shared'), 'MEMORY.md')
      const own = await addChunks(world, 'ada', ['own'], 'MEMORY.md')
      const other = await addChunks(world, 'ada', ['other'], 'x.md')
      await put(
        world,
        '',
        id,
        hidden.ids.map((chunkId) => [chunkId, [1, 0, 0]] as const),
      )
      await put(world, 'ada', id, [
        [own.ids[0], [0.5, 1, 0]],
        [other.ids[0], [0, 1, 0]],
      ])
      const found = await nearest(world, 'ada', id, [1, 0, 0], {}, 2)
      expect(found.map(({ chunkId }) => chunkId)).toEqual([own.ids[0], other.ids[0]])
      const inPath = await nearest(world, 'ada', id, [1, 0, 0], { pathPrefix: 'x' })
      expect(inPath.map(({ chunkId }) => chunkId)).toEqual(other.ids)
      expect(await nearest(world, 'ada', id, [1, 0, 0], { sources: ['messages'] })).toEqual([])
      expect(await nearest(world, 'ada', id, [1, 0, 0], { sources: [] })).toEqual([])
    })

    it('refuses vectors that do not fit their space, and stores none of the batch', async () => {
      const world = await createWorld(opened())
      const { id } = await spaceOf(world)
      const { ids } = await addChunks(world, 'ada', ['a', 'b'])
      const bad = put(world, 'ada', id, [
        [ids[0], [1, 0, 0]],
        [ids[1], [1, 0]],
      ])
      await expect(bad).rejects.toSatisfy(
        (error) =>
          VectorDimensionError.isInstance(error) &&
          error.details['expected'] === 3 &&
          error.details['actual'] === 2,
      )
      const query = nearest(world, 'ada', id, [1, 0, 0, 0])
      await expect(query).rejects.toSatisfy((error) => VectorDimensionError.isInstance(error))
      const infinite = put(world, 'ada', id, [[ids[0], [1, 0, Number.POSITIVE_INFINITY]]])
      await expect(infinite).rejects.toSatisfy((error) => InvalidInputError.isInstance(error))
      const nowhere = put(world, 'ada', 2_000_000_000, [[ids[0], [1, 0, 0]]])
      await expect(nowhere).rejects.toSatisfy((error) => NotFoundError.isInstance(error))
      expect(await nearest(world, 'ada', id, [1, 0, 0])).toEqual([])
    })

    it('keeps a vector of zeros and never finds it', async () => {
      const world = await createWorld(opened())
      const { id } = await spaceOf(world)
      const { ids } = await addChunks(world, 'ada', ['none', 'some'])
      await put(world, 'ada', id, [
        [ids[0], [0, 0, 0]],
        [ids[1], [0, 0, 1]],
      ])
      const found = await nearest(world, 'ada', id, [0, 0, 1])
      expect(found.map(({ chunkId }) => chunkId)).toEqual([ids[1]])
      expect(await nearest(world, 'ada', id, [0, 0, 0])).toEqual([])
      const missing = await world.as('ada', ({ chunks }) =>
        chunks.withoutVector({ spaceId: id, limit: 10 }),
      )
      expect(missing).toEqual([])
    })

    it('replaces a vector, and passes over chunks that are gone or another user’s', async () => {
      const world = await createWorld(opened())
      const { id } = await spaceOf(world)
      const own = await addChunks(world, 'ada', ['a'])
      const others = await addChunks(world, 'bob', ['b'])
      await put(world, 'ada', id, [[own.ids[0], [1, 0, 0]]])
      await put(world, 'ada', id, [
        [own.ids[0], [0, 1, 0]],
        [others.ids[0], [0, 1, 0]],
        [generateId(), [0, 1, 0]],
        ['nonsense', [0, 1, 0]],
      ])
      const found = await nearest(world, 'ada', id, [0, 1, 0])
      expect(found).toMatchObject([{ chunkId: own.ids[0], similarity: 1 }])
      expect(await nearest(world, 'bob', id, [0, 1, 0])).toEqual([])
    })

    it('keeps the vectors of two spaces apart', async () => {
      const world = await createWorld(opened())
      const { id } = await spaceOf(world)
      const other = await spaceOf(world, { ...SPACE, model: 'another three' })
      const { ids } = await addChunks(world, 'ada', ['a'])
      await put(world, 'ada', id, [[ids[0], [1, 0, 0]]])
      expect(await nearest(world, 'ada', other.id, [1, 0, 0])).toEqual([])
      expect(await nearest(world, 'ada', id, [1, 0, 0])).toHaveLength(1)
    })

    it('tells which chunks lack a vector, oldest first, of one group or all', async () => {
      const world = await createWorld(opened())
      const { id } = await spaceOf(world)
      const first = await addChunks(world, 'ada', ['a1', 'a2'], 'a.md')
      const second = await addChunks(world, 'ada', ['b1'], 'b.md')
      await addChunks(world, 'bob', ['c1'], 'c.md')
      await put(world, 'ada', id, [[first.ids[0], [1, 0, 0]]])
      const missing = (groupId?: string, limit = 10) =>
        world.as('ada', ({ chunks }) => chunks.withoutVector({ spaceId: id, groupId, limit }))
      expect(await missing()).toEqual([
        { chunkId: first.ids[1], agentId: world.agentId, userId: 'ada', text: 'a2' },
        { chunkId: second.ids[0], agentId: world.agentId, userId: 'ada', text: 'b1' },
      ])
      expect(await missing(undefined, 1)).toMatchObject([{ text: 'a2' }])
      expect(await missing(second.documentId)).toMatchObject([{ text: 'b1' }])
      const coverage = await world.as('ada', ({ chunks }) => chunks.coverage(id))
      expect(coverage).toEqual({ chunks: 3, withoutVector: 2 })
      const ofAll = await world.asEveryone(({ chunks }) => chunks.coverage(id))
      expect(ofAll).toEqual({ chunks: 4, withoutVector: 3 })
    })
  })
}
