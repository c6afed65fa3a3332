import { InvalidInputError, generateId } from '@loam/core'
import { describe, expect, it } from 'vitest'
import type { UserHoldings } from '../user-data.js'
import { fillUser } from './fill-user.js'
import { NOW, sampleMessage } from './samples.js'
import type { OpenedStorage } from './suite.js'
import { createWorld, type World } from './world.js'

/** Fills everything that can be held about a user, and returns how much that is. */
async function fillAll(world: World, userId: string): Promise<UserHoldings> {
  const { agentId, tenantId } = world
  await fillUser(world, agentId, userId)
  return await world.as(userId, async (stores) => {
    await stores.contextFiles.put({ agentId, userId, name: 'USER.md', content: 'Ana' })
    await stores.agentUsers.ensure(agentId, userId)
    const scope = { tenantId, agentId, userId }
    const call = { task: 'test', kind: 'chat', provider: 'p', model: 'm' } as const
    await stores.modelCalls.begin({ ...call, id: generateId(), scope, startedAt: NOW })
    return await stores.userData.holdings(agentId, userId)
  })
}

const FILLED = {
  contextFiles: 1,
  sessions: 1,
  messages: 2,
  runs: 1,
  documents: 1,
  episodes: 1,
  chunks: 4,
  vectors: 4,
  postings: 8,
  events: 1,
  deliveries: 1,
  acquaintances: 1,
  modelCalls: 1,
}
const NOTHING = Object.fromEntries(Object.keys(FILLED).map((kind) => [kind, 0]))

/** What is held about a user, listed and erased as one thing. */
export function describeUserData(opened: OpenedStorage): void {
  describe('what is held about a user', () => {
    it('is counted, erased in every place, and nothing of anybody else', async () => {
      const world = await createWorld(opened())
      const { agentId } = world
      const holdings = (userId: string) =>
        world.asEveryone(({ userData }) => userData.holdings(agentId, userId))
      expect(await fillAll(world, 'ada')).toEqual(FILLED)
      for (const userId of ['bob', '']) await fillAll(world, userId)
      const [bobs, shared] = [await holdings('bob'), await holdings('')]
      const calls = await world.asEveryone(({ modelCalls }) => modelCalls.totals(NOW))
      const erase = () => world.asEveryone(({ userData }) => userData.erase(agentId, 'ada'))
      expect(await erase()).toEqual(FILLED)
      expect(await holdings('ada')).toEqual(NOTHING)
      expect(await erase()).toEqual(NOTHING)
      expect(await holdings('bob')).toEqual(bobs)
      // What her model calls cost is on record as before, for nobody in particular.
      expect(await holdings('')).toEqual({ ...shared, modelCalls: shared.modelCalls + 1 })
      expect(await world.asEveryone(({ modelCalls }) => modelCalls.totals(NOW))).toEqual(calls)
    })

    it('is listed newest first, page by page, and by kind', async () => {
      const world = await createWorld(opened())
      const { agentId } = world
      await fillAll(world, 'ada')
      await fillAll(world, 'bob')
      const sessionId = await world.addSession('ada', 'second')
      await world.as('ada', ({ messages }) =>
        messages.append(
          sessionId,
          Array.from({ length: 12 }, (_, index) => sampleMessage({ content: `m${index + 1}` })),
        ),
      )
      await world.as('ada', async ({ userData }) => {
        const all = await userData.list(agentId, 'ada', { limit: 200 })
        expect(all.nextCursor).toBeUndefined()
        const kinds = all.items.map(({ kind }) => kind)
        expect(kinds.toSorted()).toEqual([
          'document',
          'episode',
          'file',
          ...Array<string>(14).fill('message'),
        ])
        const paged = []
        for (let cursor: string | undefined; ;) {
          const page = await userData.list(agentId, 'ada', { limit: 5, cursor })
          paged.push(...page.items)
          if (page.nextCursor === undefined) break
          cursor = page.nextCursor
        }
        expect(paged).toEqual(all.items)
        const moments = all.items.map(({ createdAt }) => createdAt.getTime())
        expect(moments).toEqual(moments.toSorted((a, b) => b - a))
        const files = await userData.list(agentId, 'ada', { limit: 5, kinds: ['file', 'document'] })
        expect(new Set(files.items.map(({ kind }) => kind))).toEqual(new Set(['file', 'document']))
        const messages = await userData.list(agentId, 'ada', { limit: 50, kinds: ['message'] })
        expect(messages.items.find(({ content }) => content === 'm12')).toMatchObject({
          id: '12',
          source: 'second',
        })
        expect((await userData.list(agentId, 'ada', { limit: 5, kinds: [] })).items).toEqual([])
      })
    })

    it('is no business of another user, and is not what all users share', async () => {
      const world = await createWorld(opened())
      const { agentId } = world
      await fillAll(world, 'ada')
      await world.as('bob', async ({ userData }) => {
        expect((await userData.list(agentId, 'ada', { limit: 50 })).items).toEqual([])
        expect(await userData.holdings(agentId, 'ada')).toEqual(NOTHING)
        expect(await userData.erase(agentId, 'ada')).toEqual(NOTHING)
      })
      expect(await world.as('ada', ({ userData }) => userData.holdings(agentId, 'ada'))).toEqual(
        FILLED,
      )
      const shared = world.asEveryone(({ userData }) => userData.erase(agentId, ''))
      await expect(shared).rejects.toSatisfy((error) => InvalidInputError.isInstance(error))
    })

    it('is not made again by who was writing while it was erased', async () => {
      const world = await createWorld(opened())
      const { agentId } = world
      const { sessionId } = await fillUser(world, agentId, 'ada')
      await Promise.all([
        world
          .as('ada', ({ messages }) => messages.append(sessionId, [sampleMessage()]))
          .catch(() => {}),
        world.as('ada', ({ userData }) => userData.erase(agentId, 'ada')),
      ])
      const left = await world.as('ada', ({ userData }) => userData.holdings(agentId, 'ada'))
      expect(left).toEqual(NOTHING)
    })
  })
}
