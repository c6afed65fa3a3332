import { describe, expect, it } from 'vitest'
import { NOW } from './samples.js'
import { fillUser } from './fill-user.js'
import type { OpenedStorage } from './suite.js'
import { createWorld, type World } from './world.js'

const NONE = {
  agents: 0,
  contextFiles: 0,
  sessions: 0,
  messages: 0,
  runs: 0,
  documents: 0,
  episodes: 0,
  chunks: 0,
  vectors: 0,
}

/** What a user still finds of an agent, by words and by vectors. */
async function found(world: World, agentId: string, userId: string, spaceId: number) {
  const filter = { agentId, sources: ['documents', 'messages', 'episodes'], now: NOW } as const
  return await world.as(userId, async ({ chunks }) => {
    const lexical = await chunks.matchTerms(filter, ['tea'], { maxPostings: 99, maxCandidates: 99 })
    const near = await chunks.nearest(filter, { spaceId, vector: [1, 1], limit: 99 })
    return {
      sources: lexical.matches.map(({ source }) => source).toSorted(),
      near: near.map(({ source }) => source).toSorted(),
      statistics: lexical.statistics,
    }
  })
}

const EMPTY = {
  sources: [],
  near: [],
  statistics: {
    chunkCount: 0,
    totalLength: 0,
    documentFrequencies: new Map(),
    sessionCount: 0,
    sessionTotalLength: 0,
  },
}

/** Deletion: it reaches everything that was derived, and says how much. */
export function describeDeletion(opened: OpenedStorage): void {
  describe('deletion', () => {
    it('of a session reaches its messages, runs, episodes, chunks, vectors, words and deliveries', async () => {
      const world = await createWorld(opened())
      const { agentId } = world
      const filled = await fillUser(world, agentId, 'ada')
      const kept = await fillUser(world, agentId, 'bob')
      const receipt = await world.as('ada', ({ sessions }) => sessions.delete(filled.sessionId))
      expect(receipt).toEqual({
        ...NONE,
        sessions: 1,
        messages: 2,
        runs: 1,
        episodes: 1,
        chunks: 3,
        vectors: 3,
      })
      await world.as('ada', async (stores) => {
        expect(await stores.sessions.findById(filled.sessionId)).toBeUndefined()
        expect(await stores.messages.range(filled.sessionId, 1, 9)).toEqual([])
        expect(await stores.runs.latest(filled.sessionId)).toBeUndefined()
        expect(await stores.episodes.find(filled.episodeId, NOW)).toBeUndefined()
        expect(await stores.chunks.read(filled.chunkIds)).toMatchObject([{ source: 'documents' }])
        expect(await stores.sessions.delete(filled.sessionId)).toBeUndefined()
      })
      const delivery = (id: string) => opened().system.deliveries.find(world.tenantId, id)
      expect(await delivery(filled.deliveryId)).toBeUndefined()
      expect(await delivery(kept.deliveryId)).toBeDefined()
      const left = await found(world, agentId, 'ada', filled.spaceId)
      expect(left).toMatchObject({ sources: ['documents'], near: ['documents'] })
      expect(left.statistics).toMatchObject({ chunkCount: 1, totalLength: 2, sessionCount: 0 })
      const others = await found(world, agentId, 'bob', filled.spaceId)
      expect(others.sources).toHaveLength(4)
    })

    it('of a document reaches its chunks, vectors and words', async () => {
      const world = await createWorld(opened())
      const { agentId } = world
      const { spaceId } = await fillUser(world, agentId, 'ada')
      const remove = () =>
        world.as('ada', ({ documents }) => documents.delete(agentId, 'ada', 'MEMORY.md'))
      expect(await remove()).toEqual({ ...NONE, documents: 1, chunks: 1, vectors: 1 })
      expect(await remove()).toBeUndefined()
      const left = await found(world, agentId, 'ada', spaceId)
      expect(left.sources).toEqual(['episodes', 'messages', 'messages'])
      expect(left.near).toEqual(left.sources)
      expect(left.statistics).toMatchObject({ chunkCount: 3, totalLength: 6, sessionCount: 1 })
    })

    it('of an agent reaches the rows of all its users, and no other agent’s', async () => {
      const world = await createWorld(opened())
      const other = await world.addAgent('other')
      const { spaceId, deliveryId } = await fillUser(world, world.agentId, 'ada')
      await fillUser(world, world.agentId, 'bob')
      await fillUser(world, world.agentId, '')
      await fillUser(world, other, 'ada')
      const receipt = await world.asEveryone(({ agents }) => agents.delete(world.agentId))
      expect(receipt).toEqual({
        agents: 1,
        contextFiles: 0,
        sessions: 3,
        messages: 6,
        runs: 3,
        documents: 3,
        episodes: 3,
        chunks: 12,
        vectors: 12,
      })
      for (const userId of ['', 'ada', 'bob']) {
        expect(await found(world, world.agentId, userId, spaceId)).toEqual(EMPTY)
      }
      const delivery = await opened().system.deliveries.find(world.tenantId, deliveryId)
      expect(delivery).toBeUndefined()
      expect((await found(world, other, 'ada', spaceId)).sources).toHaveLength(4)
      const coverage = await world.asEveryone(({ chunks }) => chunks.coverage(spaceId))
      expect(coverage).toEqual({ chunks: 4, withoutVector: 0 })
    })
  })
}
