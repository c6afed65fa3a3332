import { ForbiddenError, NotFoundError, generateId } from '@loam/core'
import { describe, expect, it } from 'vitest'
import { MAX_SESSION_KEY_LENGTH } from '../sessions.js'
import type { OpenedStorage } from './suite.js'
import { createWorld } from './world.js'

/** Sessions: one owner each, found by nobody else. */
export function describeSessions(opened: OpenedStorage): void {
  describe('sessions', () => {
    it('makes a session once, and returns it as it is after that', async () => {
      const world = await createWorld(opened())
      const session = {
        id: generateId(),
        agentId: world.agentId,
        key: 'agent:bot:telegram:42',
        userId: 'ada',
        kind: 'direct',
        channel: 'telegram',
        timezone: 'Europe/Berlin',
        contextWindow: 200_000,
        title: 'Grüße 👋',
        metadata: { a: { b: [1] } },
      } as const
      const first = await world.as('ada', ({ sessions }) => sessions.ensure(session))
      expect(first.created).toBe(true)
      expect(first.session).toMatchObject({ ...session, lastSequence: 0 })
      const again = await world.as('ada', ({ sessions }) =>
        sessions.ensure({ ...session, id: generateId(), title: 'Other' }),
      )
      expect(again).toEqual({ session: first.session, created: false })
    })

    it('does not find the key of another user, and does not give it away', async () => {
      const world = await createWorld(opened())
      const id = await world.addSession('ada', 'shared-name')
      const take = world.addSession('bob', 'shared-name')
      await expect(take).rejects.toSatisfy((error) => NotFoundError.isInstance(error))
      await world.as('bob', async ({ sessions }) => {
        expect(await sessions.findByKey(world.agentId, 'shared-name')).toBeUndefined()
        expect(await sessions.findById(id)).toBeUndefined()
        expect(await sessions.lock(id)).toBeUndefined()
        expect(await sessions.update(id, { title: 'mine' })).toBeUndefined()
        expect(await sessions.delete(id)).toBeUndefined()
      })
      expect(await world.as('ada', ({ sessions }) => sessions.findById(id))).toBeDefined()
    })

    it.each(['chat/bob', 'chat/', 'chat/ada/2', 'chat/Ada'])(
      'lets nobody take the key %s, which is for another user',
      async (key) => {
        const world = await createWorld(opened())
        const take = world.addSession('ada', key)
        await expect(take).rejects.toSatisfy((error) => ForbiddenError.isInstance(error))
        const owner = key.slice('chat/'.length)
        expect(await world.addSession(owner, key)).toBeDefined()
        // That it is there now, nobody else is told.
        await expect(world.addSession('ada', key)).rejects.toSatisfy((error) =>
          ForbiddenError.isInstance(error),
        )
      },
    )

    it('refuses a session of an agent that does not exist', async () => {
      const world = await createWorld(opened())
      const made = world.as('ada', ({ sessions }) =>
        sessions.ensure({
          id: generateId(),
          agentId: generateId(),
          key: 'k',
          userId: 'ada',
          kind: 'direct',
        }),
      )
      await expect(made).rejects.toSatisfy((error) => NotFoundError.isInstance(error))
    })

    it('takes a key of 500 characters of any kind', async () => {
      const world = await createWorld(opened())
      const key = `'"\\/:%_ 漢字`.repeat(100).slice(0, MAX_SESSION_KEY_LENGTH)
      const id = await world.addSession('ada', key)
      const found = await world.as('ada', (stores) => stores.sessions.findByKey(world.agentId, key))
      expect(found).toMatchObject({ id, key })
    })

    it('makes one session when many ask for it at once', async () => {
      const world = await createWorld(opened())
      const ensured = await Promise.all(
        Array.from({ length: 8 }, () =>
          world.as('ada', ({ sessions }) =>
            sessions.ensure({
              id: generateId(),
              agentId: world.agentId,
              key: 'raced',
              userId: 'ada',
              kind: 'direct',
            }),
          ),
        ),
      )
      expect(new Set(ensured.map(({ session }) => session.id)).size).toBe(1)
      expect(ensured.filter(({ created }) => created)).toHaveLength(1)
    })

    it('leaves what a patch does not name, and empties what it gives as null', async () => {
      const world = await createWorld(opened())
      const id = await world.addSession('ada')
      const update = (patch: object) =>
        world.as('ada', ({ sessions }) => sessions.update(id, patch))
      await update({ channel: 'web', timezone: 'UTC', contextWindow: 8000, title: 'T' })
      expect(await update({ title: null, metadata: { seen: true } })).toMatchObject({
        channel: 'web',
        timezone: 'UTC',
        contextWindow: 8000,
        title: undefined,
        metadata: { seen: true },
      })
    })

    it('lists the newest first: a user those of its own and the shared ones, an administrator all', async () => {
      const world = await createWorld(opened())
      const ids: Record<string, string> = {}
      for (const [name, userId] of [
        ['ada1', 'ada'],
        ['shared', ''],
        ['bob1', 'bob'],
        ['ada2', 'ada'],
      ] as const) {
        ids[name] = await world.addSession(userId, name)
      }
      const other = await world.addAgent('other')
      await world.as('ada', ({ sessions }) =>
        sessions.ensure({
          id: generateId(),
          agentId: other,
          key: 'x',
          userId: 'ada',
          kind: 'cron',
        }),
      )
      const listed = async (run: typeof world.asEveryone, limit: number) => {
        const keys: string[] = []
        let cursor: string | undefined
        do {
          const page = await run(({ sessions }) => sessions.list(world.agentId, { limit, cursor }))
          keys.push(...page.items.map(({ key }) => key))
          cursor = page.nextCursor
        } while (cursor !== undefined)
        return keys
      }
      const ada: typeof world.asEveryone = (work) => world.as('ada', work)
      const nobody: typeof world.asEveryone = (work) => world.as('', work)
      for (const limit of [1, 2, 50]) {
        expect(await listed(ada, limit)).toEqual(['ada2', 'shared', 'ada1'])
        expect(await listed(nobody, limit)).toEqual(['shared'])
        expect(await listed(world.asEveryone, limit)).toEqual(['ada2', 'bob1', 'shared', 'ada1'])
      }
    })
  })
}
