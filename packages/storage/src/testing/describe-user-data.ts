import { InvalidInputError, NotFoundError, generateId } from '@loam/core'
import { describe, expect, it } from 'vitest'
import type { UserHoldings } from '../user-data.js'
import { fillUser } from './fill-user.js'
import { NOW, sampleChunk, sampleMessage } from './samples.js'
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
          id: `message:${sessionId}:12`,
          source: 'second',
        })
        expect((await userData.list(agentId, 'ada', { limit: 5, kinds: [] })).items).toEqual([])
      })
    })

    it('is forgotten item by item, with what hangs on each', async () => {
      const world = await createWorld(opened())
      const { agentId } = world
      const { sessionId } = await fillUser(world, agentId, 'ada')
      await world.as('ada', async ({ userData, messages, runs, sessions }) => {
        expect(await userData.forget(agentId, 'ada', [`message:${sessionId}:1`])).toEqual({
          messages: 1,
          documents: 0,
          episodes: 1,
          contextFiles: 0,
          chunks: 2,
          vectors: 2,
          withdrawn: [{ sessionId, firstSequence: 1, lastSequence: 4 }],
        })
        expect((await messages.range(sessionId, 1, 9)).map(({ sequence }) => sequence)).toEqual([2])
        expect((await messages.list(sessionId, { limit: 9 })).items).toHaveLength(1)
        expect((await runs.latest(sessionId))?.compactionSummary).toBeUndefined()
        expect(await sessions.findById(sessionId)).toMatchObject({
          lastSequence: 2,
          coveredSequence: 4,
          forgottenCount: 1,
        })
        const rest = (await userData.list(agentId, 'ada', { limit: 50 })).items
        expect(rest.map(({ kind }) => kind).toSorted()).toEqual(['document', 'message'])
        const ids = rest.map(({ id }) => id)
        expect(await userData.forget(agentId, 'ada', [...ids, ...ids])).toMatchObject({
          messages: 1,
          documents: 1,
          chunks: 2,
          withdrawn: [],
        })
        expect((await userData.list(agentId, 'ada', { limit: 50 })).items).toEqual([])
      })
    })

    it('stays forgotten when a message is sent again under its id', async () => {
      const world = await createWorld(opened())
      const sessionId = await world.addSession('ada')
      const message = sampleMessage({ content: 'A secret.' })
      const append = (content: string) =>
        world.as('ada', ({ messages }) => messages.append(sessionId, [{ ...message, content }]))
      await append('A secret.')
      await world.as('ada', ({ userData }) =>
        userData.forget(world.agentId, 'ada', [`message:${sessionId}:1`]),
      )
      const again = [{ id: message.id, sequence: 1, duplicate: true }]
      expect([await append('A secret.'), await append('Another.')]).toEqual([again, again])
      expect(await world.as('ada', ({ messages }) => messages.range(sessionId, 1, 9))).toEqual([])
    })

    it('is forgotten by its owner alone, all of what is named or nothing', async () => {
      const world = await createWorld(opened())
      const { agentId } = world
      const anas = await fillUser(world, agentId, 'ada')
      const bobs = await fillUser(world, agentId, 'bob')
      const counts = () => world.asEveryone(({ userData }) => userData.holdings(agentId, 'bob'))
      const before = await counts()
      for (const id of [
        `message:${bobs.sessionId}:1`,
        `episode:${bobs.episodeId}`,
        'file:USER.md',
      ]) {
        for (const ids of [[id], [`message:${anas.sessionId}:1`, id]]) {
          for (const as of [
            world.asEveryone,
            (work: Parameters<typeof world.asEveryone>[0]) => world.as('ada', work),
          ]) {
            const refused = as(({ userData }) => userData.forget(agentId, 'ada', ids))
            await expect(refused).rejects.toSatisfy((error) => NotFoundError.isInstance(error))
          }
        }
      }
      const nonsense = world.as('ada', ({ userData }) =>
        userData.forget(agentId, 'ada', ['message:1']),
      )
      await expect(nonsense).rejects.toSatisfy((error) => InvalidInputError.isInstance(error))
      expect(await counts()).toEqual(before)
      expect(
        await world.as('ada', ({ messages }) => messages.range(anas.sessionId, 1, 9)),
      ).toHaveLength(2)
    })

    it.each([
      ['', 'The code of the door\nis 4711.', '  The code of the door\n  is 4711.'],
      ['short ', 'Tea', '  Tea'],
      ['long ', 'Long '.repeat(400), `  ${'Long '.repeat(300).trim()}…`],
    ])(
      'is forgotten with what tools told an agent of its %stext, in whatever session',
      async (_length, text, told) => {
        const world = await createWorld(opened())
        const { agentId } = world
        const [first, second] = [await world.addSession('ada'), await world.addSession('ada')]
        const bobs = await world.addSession('bob')
        await world.as('ada', async ({ messages, chunks }) => {
          await messages.append(first, [sampleMessage({ content: text })])
          const owner = { source: 'messages', sessionId: first, sequence: 1 } as const
          await chunks.insert([sampleChunk({ agentId, userId: 'ada', text, owner })])
          await messages.append(second, [
            found(told),
            found('  The door is green, and the Teapots too.'),
            sampleMessage({ role: 'assistant', content: text }),
          ])
        })
        await world.as('bob', ({ messages }) => messages.append(bobs, [found(told)]))
        await world.asEveryone(({ userData }) =>
          userData.forget(agentId, 'ada', [`message:${first}:1`]),
        )
        const left = (userId: string, session: string) =>
          world.as(userId, async ({ messages }) =>
            (await messages.range(session, 1, 9)).map(({ sequence }) => sequence),
          )
        // What an agent said of it is a message of its own.
        expect(await left('ada', second)).toEqual([2, 3])
        expect(await left('bob', bobs)).toEqual([1])
      },
    )

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

/** What a search told an agent, with this as its second result. */
function found(shown: string) {
  return sampleMessage({
    role: 'tool',
    origin: 'injected',
    content: `[1] messages first 2026-11-30 (1.00)\n  Teapots.\n\n[2] messages first 2026-11-30 (0.50)\n${shown}`,
    toolCallId: 'call',
  })
}
