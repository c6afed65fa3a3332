import type { Storage } from '@loam/storage'
import { createTestStorage } from '@loam/storage-postgres/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { words } from './conversation.js'
import { createWorld } from './world.js'

let storage: Storage
beforeAll(async () => {
  storage = await createTestStorage()
})
afterAll(() => storage.close())

async function worldWithEpisode(episodicTtlDays: number | null) {
  const world = await createWorld(storage, { settings: { episodicTtlDays } })
  await world.say([words(30), words(10), words(30)])
  await world.handle(await world.run())
  expect(await world.episodes()).toHaveLength(1)
  return world
}

describe('deleteExpired', () => {
  it('deletes what is past its expiry, with its chunks, and nothing else', async () => {
    const short = await worldWithEpisode(1)
    const long = await worldWithEpisode(30)
    const kept = await worldWithEpisode(null)
    for (const world of [short, long, kept]) world.clock.advance(2 * 86_400_000)
    const deleted = []
    for (const { consolidation, scope } of [short, long, kept]) {
      deleted.push(await consolidation.deleteExpired(scope.tenantId))
    }
    expect(deleted).toEqual([1, 0, 0])
    expect(await long.episodes()).toHaveLength(1)
    expect(await kept.episodes()).toHaveLength(1)
    const { results } = await short.memory.search(short.scope, {
      query: 'word1',
      sources: ['episodes'],
      now: new Date('2026-05-01T10:00:00Z'),
    })
    expect(results).toEqual([])
  })

  it('gives every reader the same answer before the deletion', async () => {
    const world = await worldWithEpisode(1)
    world.clock.advance(2 * 86_400_000)
    expect(await world.episodes()).toEqual([])
    const { results } = await world.memory.search(world.scope, {
      query: 'word1',
      sources: ['episodes'],
    })
    expect(results).toEqual([])
  })
})
