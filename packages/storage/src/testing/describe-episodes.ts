import { generateId } from '@loam/core'
import { describe, expect, it } from 'vitest'
import { NOW, after, sampleChunk, sampleEpisode } from './samples.js'
import type { OpenedStorage } from './suite.js'
import { createWorld, type World } from './world.js'

/** Episodes: one for each stretch of a session, until they expire. */
export function describeEpisodes(opened: OpenedStorage): void {
  describe('episodes', () => {
    it('stores an episode once for each beginning in a session', async () => {
      const world = await createWorld(opened())
      const sessionId = await world.addSession('ada', 'talk')
      const episode = sampleEpisode({ agentId: world.agentId, userId: 'ada', sessionId })
      await world.as('ada', async ({ episodes, sessions }) => {
        expect((await sessions.findById(sessionId))?.coveredSequence).toBe(0)
        expect(await episodes.insertIfNew(episode)).toBe(true)
        const again = { ...episode, id: generateId(), lastSequence: 9 }
        expect(await episodes.insertIfNew(again)).toBe(false)
        expect(await episodes.find(episode.id, NOW)).toEqual({ ...episode, sessionKey: 'talk' })
        expect((await sessions.findById(sessionId))?.coveredSequence).toBe(4)
        const next = { ...episode, id: generateId(), firstSequence: 5, lastSequence: 12 }
        expect(await episodes.insertIfNew(next)).toBe(true)
        expect((await sessions.findById(sessionId))?.coveredSequence).toBe(12)
      })
      const seen = await world.as('bob', ({ episodes }) => episodes.find(episode.id, NOW))
      expect(seen).toBeUndefined()
    })

    it('lists the newest first, of one session or all, without those past their expiry', async () => {
      const world = await createWorld(opened())
      const { agentId } = world
      const [first, second] = [await world.addSession('ada'), await world.addSession('ada')]
      const shared = await world.addSession('')
      const others = await world.addSession('bob')
      const add = (
        userId: string,
        sessionId: string,
        abstract: string,
        createdAt: Date,
        expiresAt?: Date,
      ) =>
        world.as(userId, ({ episodes }) =>
          episodes.insertIfNew(
            sampleEpisode({
              agentId,
              userId,
              sessionId,
              abstract,
              createdAt,
              expiresAt,
              firstSequence: createdAt.getTime() - NOW.getTime() + 1,
            }),
          ),
        )
      await add('ada', first, 'a', after(1))
      await add('ada', second, 'b', after(3))
      await add('', shared, 'c', after(2))
      await add('bob', others, 'd', after(4))
      await add('ada', first, 'e', after(5), after(100))
      const list = async (
        now: Date,
        limit: number,
        sessionId?: string,
        run: World['asEveryone'] = ada,
      ) => {
        const found: string[] = []
        let cursor: string | undefined
        do {
          const page = await run(({ episodes }) =>
            episodes.list(agentId, { limit, cursor, now, sessionId }),
          )
          found.push(...page.items.map(({ abstract }) => abstract))
          cursor = page.nextCursor
        } while (cursor !== undefined)
        return found.join('')
      }
      const ada: World['asEveryone'] = (work) => world.as('ada', work)
      for (const limit of [1, 2, 100]) {
        expect(await list(after(99), limit)).toBe('ebca')
        expect(await list(after(100), limit)).toBe('bca')
        expect(await list(after(99), limit, first)).toBe('ea')
        expect(await list(after(99), limit, others)).toBe('')
        expect(await list(after(99), limit, undefined, world.asEveryone)).toBe('edbca')
      }
    })

    it('deletes the expired with their chunks, a limited number at a time', async () => {
      const world = await createWorld(opened())
      const { agentId } = world
      const sessionId = await world.addSession('ada')
      const made = [1, 2, 3, 4].map((firstSequence) =>
        sampleEpisode({
          agentId,
          userId: 'ada',
          sessionId,
          firstSequence,
          ...(firstSequence < 4 && { expiresAt: after(firstSequence) }),
        }),
      )
      const chunks = made.map(({ id, expiresAt }) =>
        sampleChunk({
          agentId,
          userId: 'ada',
          owner: { source: 'episodes', episodeId: id },
          text: 'tea',
          expiresAt,
        }),
      )
      await world.as('ada', async (stores) => {
        for (const episode of made) await stores.episodes.insertIfNew(episode)
        await stores.chunks.insert(chunks)
      })
      const expire = (limit: number) =>
        world.asEveryone(({ episodes }) => episodes.deleteExpired(after(3), limit))
      expect(await expire(2)).toBe(2)
      expect(await expire(2)).toBe(1)
      expect(await expire(2)).toBe(0)
      const left = await world.as('ada', (stores) => stores.chunks.read(chunks.map(({ id }) => id)))
      expect(left.map(({ chunkId }) => chunkId)).toEqual([chunks[3]?.id])
    })
  })
}
