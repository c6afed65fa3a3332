import { ConflictError, generateId, type Scope } from '@loam/core'
import { describe, expect, it } from 'vitest'
import { accessFor, type Stores } from '../storage.js'
import { fillUser } from './fill-user.js'
import { NOW, sampleDocument, sampleMessage } from './samples.js'
import type { OpenedStorage } from './suite.js'
import { createWorld, type World } from './world.js'

const isRefusal = (error: unknown) =>
  ConflictError.isInstance(error) && error.details['erased'] === true

const erase = (world: World, userId: string, agentId = world.agentId) =>
  world.asEveryone(({ userData }) => userData.erase(agentId, userId))

/** The scope of work that begins now. */
function scopeOf(world: World, userId: string, agentId = world.agentId): Scope {
  const { tenantId, storage } = world
  return { tenantId, agentId, userId, sinceErasure: storage.lastErasure() }
}

const writing = (world: World, scope: Scope) =>
  world.storage.transaction(accessFor(scope), (stores) => storeWords(stores, scope))

async function storeWords({ sessions, messages }: Stores, { agentId, userId }: Scope) {
  const session = { id: generateId(), agentId, key: generateId(), userId, kind: 'direct' } as const
  await sessions.ensure(session)
  await messages.append(session.id, [sampleMessage()])
}

const held = async (world: World, userId: string) => {
  const holdings = await world.as(userId, ({ userData }) =>
    userData.holdings(world.agentId, userId),
  )
  return Object.values(holdings).reduce((sum, count) => sum + count, 0)
}

/** What began before a user was erased is not written after it. */
export function describeErasures(opened: OpenedStorage): void {
  describe('work from before an erasure', () => {
    it('is refused, whatever it writes, while what begins later is stored', async () => {
      const world = await createWorld(opened())
      await fillUser(world, world.agentId, 'ada')
      const before = scopeOf(world, 'ada')
      await writing(world, before)
      await erase(world, 'ada')
      await expect(writing(world, before)).rejects.toSatisfy(isRefusal)
      const document = sampleDocument({ agentId: world.agentId, userId: 'ada' })
      const put = world.storage.transaction(accessFor(before), (stores) =>
        stores.documents.put(document),
      )
      await expect(put).rejects.toSatisfy(isRefusal)
      expect(await held(world, 'ada')).toBe(0)
      await writing(world, scopeOf(world, 'ada'))
      expect(await held(world, 'ada')).toBeGreaterThan(0)
      await expect(writing(world, before)).rejects.toSatisfy(isRefusal)
    })

    it('is refused after the second erasure when it began between the two', async () => {
      const world = await createWorld(opened())
      await erase(world, 'ada')
      const between = scopeOf(world, 'ada')
      await writing(world, between)
      await erase(world, 'ada')
      await expect(writing(world, between)).rejects.toSatisfy(isRefusal)
    })

    it('is stored when another user, or the user of another agent or tenant, was erased', async () => {
      const world = await createWorld(opened())
      const other = await createWorld(opened())
      const second = await world.addAgent('second')
      const scope = scopeOf(world, 'ada')
      await erase(world, 'bob')
      await erase(world, 'ada', second)
      await erase(other, 'ada')
      await world.as('bob', ({ userData }) => userData.erase(world.agentId, 'ada'))
      await writing(world, scope)
      await expect(writing(world, scopeOf(other, 'ada'))).resolves.toBeUndefined()
      expect(await held(world, 'ada')).toBeGreaterThan(0)
    })

    it('that is in its transaction already is waited for, and what it wrote is erased', async () => {
      const world = await createWorld(opened())
      const scope = scopeOf(world, 'ada')
      let erasing: Promise<unknown> = Promise.resolve()
      await world.storage.transaction(accessFor(scope), async (stores) => {
        // A session that nobody else sees yet.
        await storeWords(stores, scope)
        erasing = erase(world, 'ada')
        await storeWords(stores, scope)
      })
      await erasing
      expect(await held(world, 'ada')).toBe(0)
    })

    it('records the calls of models without the name', async () => {
      const world = await createWorld(opened())
      const scope = scopeOf(world, 'ada')
      const call = { task: 'test', kind: 'chat', provider: 'p', model: 'm', runId: 'hers' } as const
      const begin = (of: Scope) =>
        world.storage.modelCalls.begin({ ...call, id: generateId(), scope: of, startedAt: NOW })
      await begin(scope)
      expect(await held(world, 'ada')).toBe(1)
      await erase(world, 'ada')
      await begin(scope)
      expect(await held(world, 'ada')).toBe(0)
      await begin(scopeOf(world, 'ada'))
      expect(await held(world, 'ada')).toBe(1)
      const { calls } = await world.asEveryone(({ modelCalls }) => modelCalls.totals(NOW))
      expect(calls).toBe(3)
    })

    it('is told from later work by what keeps no name, and can be forgotten', async () => {
      const world = await createWorld(opened())
      await erase(world, 'ada')
      const forget = (before: Date) =>
        world.asEveryone(({ userData }) => userData.forgetErasures(before))
      expect(await forget(new Date('2000-01-01'))).toBe(0)
      expect(await forget(new Date('2200-01-01'))).toBe(1)
      expect(await forget(new Date('2200-01-01'))).toBe(0)
    })
  })
}
