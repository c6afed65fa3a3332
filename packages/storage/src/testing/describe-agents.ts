import { ConflictError, ForbiddenError, InvalidInputError, generateId } from '@loam/core'
import { describe, expect, it } from 'vitest'
import type { OpenedStorage } from './suite.js'
import { createWorld } from './world.js'

/** Agents: round trips, patches, pages. Their deletion is in `describeDeletion`. */
export function describeAgents(opened: OpenedStorage): void {
  describe('agents', () => {
    it('finds an agent by key and by id as it was created', async () => {
      const world = await createWorld(opened())
      const agent = {
        id: generateId(),
        key: 'Support.bot_1-a',
        type: 'predefined',
        displayName: 'Sören 🤖',
        description: undefined,
        settings: { nested: { list: [1, 'two', null] }, text: '12' },
      } as const
      const created = await world.as('ada', ({ agents }) => agents.create(agent))
      expect(created).toMatchObject(agent)
      const find = (keyOrId: string) => world.as('bob', ({ agents }) => agents.find(keyOrId))
      expect(await find(agent.key)).toEqual(created)
      expect(await find(agent.id)).toEqual(created)
      expect(await find('support.bot_1-a')).toBeUndefined()
      expect(await find(generateId())).toBeUndefined()
    })

    it('refuses a key that is taken, and takes it in another tenant', async () => {
      const world = await createWorld(opened())
      const other = await createWorld(opened())
      const create = (where: typeof world) => where.addAgent('twin')
      await create(world)
      await expect(create(world)).rejects.toSatisfy((error) => ConflictError.isInstance(error))
      await create(other)
    })

    it('leaves what a patch does not name, and empties what it gives as null', async () => {
      const world = await createWorld(opened())
      const update = (patch: object) =>
        world.as('ada', ({ agents }) => agents.update(world.agentId, patch))
      expect(
        await update({ displayName: 'A', description: 'B', settings: { a: 1 } }),
      ).toMatchObject({ displayName: 'A', description: 'B', settings: { a: 1 }, type: 'open' })
      const patched = await update({ displayName: null, type: 'predefined' })
      expect(patched).toMatchObject({
        displayName: undefined,
        description: 'B',
        settings: { a: 1 },
        type: 'predefined',
      })
      expect(patched?.updatedAt.getTime()).toBeGreaterThanOrEqual(patched?.createdAt.getTime() ?? 0)
      const unknown = world.as('ada', ({ agents }) => agents.update(generateId(), {}))
      expect(await unknown).toBeUndefined()
    })

    it('lets those who read an agent and write it take turns', async () => {
      const world = await createWorld(opened())
      const names = Array.from({ length: 8 }, (_, index) => `setting-${index}`)
      await Promise.all(
        names.map((name) =>
          world.as('', async ({ agents }) => {
            const present = await agents.lock(world.agentId)
            await agents.update(world.agentId, { settings: { ...present?.settings, [name]: true } })
          }),
        ),
      )
      const found = await world.as('', ({ agents }) => agents.find(world.agentId))
      expect(Object.keys(found?.settings ?? {}).toSorted()).toEqual(names)
    })

    it('locks no agent that is unknown or of another tenant', async () => {
      const world = await createWorld(opened())
      const other = await createWorld(opened())
      const lock = (id: string) => world.as('', ({ agents }) => agents.lock(id))
      expect(await lock(world.agentId)).toMatchObject({ id: world.agentId })
      for (const id of [other.agentId, generateId(), 'agent']) {
        expect(await lock(id)).toBeUndefined()
      }
    })

    it('lists agents by key, page by page, each once', async () => {
      const world = await createWorld(opened())
      for (const key of ['b', 'B', 'a1', 'a-1', 'Z']) await world.addAgent(key)
      const keys: string[] = []
      let cursor: string | undefined
      do {
        const page = await world.as('', ({ agents }) => agents.list({ limit: 2, cursor }))
        expect(page.items.length).toBeLessThanOrEqual(2)
        keys.push(...page.items.map(({ key }) => key))
        cursor = page.nextCursor
      } while (cursor !== undefined)
      expect(keys).toEqual(['B', 'Z', 'a-1', 'a1', 'agent', 'b'])
    })

    it.each([{ limit: 0 }, { limit: 201 }, { limit: 1.5 }, { limit: 5, cursor: 'nonsense' }])(
      'refuses the page $limit with cursor $cursor',
      async (request) => {
        const world = await createWorld(opened())
        const list = world.as('', ({ agents }) => agents.list(request))
        await expect(list).rejects.toSatisfy((error) => InvalidInputError.isInstance(error))
      },
    )

    it('deletes an agent only with access to every user', async () => {
      const world = await createWorld(opened())
      const forbidden = world.as('ada', ({ agents }) => agents.delete(world.agentId))
      await expect(forbidden).rejects.toSatisfy((error) => ForbiddenError.isInstance(error))
      const unknown = world.asEveryone(({ agents }) => agents.delete(generateId()))
      expect(await unknown).toBeUndefined()
    })
  })
}
