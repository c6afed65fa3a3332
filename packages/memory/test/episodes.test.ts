import { generateId } from '@loam/core'
import type { NewEpisode } from '@loam/storage'
import { describe, expect, it } from 'vitest'
import { useStorage } from './memory-fixture.js'

const { storage, newScope, newMemory } = useStorage()

async function setUp() {
  const { memory, embeddings } = newMemory()
  const scope = await newScope()
  const { session } = await memory.storeMessages(scope, { key: 'chat' }, [
    { role: 'user', content: 'hello', origin: 'system' },
  ])
  const episode: NewEpisode = {
    id: generateId(),
    agentId: scope.agentId,
    userId: scope.userId,
    sessionId: session.id,
    firstSequence: 1,
    lastSequence: 1,
    summary: 'They agreed that the puppy stays.',
    abstract: 'A decision about a pet.',
    topics: ['Rotterdam'],
    method: 'rules',
    messageCount: 1,
    startedAt: new Date('2026-11-01T10:00:00Z'),
    endedAt: new Date('2026-11-01T11:00:00Z'),
    createdAt: new Date('2026-11-30T12:00:00Z'),
    expiresAt: new Date('2027-02-28T12:00:00Z'),
  }
  const access = { tenantId: scope.tenantId, userId: scope.userId }
  const store = async () => {
    const index = await memory.prepareEpisode(scope, episode)
    await storage().transaction(access, async (stores) => {
      await stores.episodes.insertIfNew(episode)
      await index.write(stores)
    })
    return index
  }
  return { memory, embeddings, scope, episode, store }
}

describe('prepareEpisode', () => {
  it('makes an episode findable by summary, abstract, topics, meaning and day, until it expires', async () => {
    const { memory, scope, episode, store } = await setUp()
    expect(await store()).toMatchObject({ state: 'complete' })
    for (const query of ['agreed', 'pet', 'Rotterdam', 'hound', 'November 2026']) {
      expect([query, await memory.search(scope, { query })]).toMatchObject([
        query,
        {
          results: [
            {
              source: 'episodes',
              episodeId: episode.id,
              session: 'chat',
              createdAt: episode.endedAt,
            },
          ],
        },
      ])
    }
    const later = { query: 'agreed', now: new Date('2027-03-01T00:00:00Z') }
    expect(await memory.search(scope, later)).toMatchObject({ count: 0 })
  })

  it('writes words alone when the embedding model fails', async () => {
    const { memory, embeddings, scope, store } = await setUp()
    embeddings.failing = true
    expect(await store()).toMatchObject({ state: 'lexical' })
    expect(await memory.search(scope, { query: 'puppy' })).toMatchObject({ count: 1 })
  })
})
