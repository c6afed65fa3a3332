import { NotFoundError, generateId } from '@loam/core'
import { describe, expect, it } from 'vitest'
import { NOW, after } from './samples.js'
import type { OpenedStorage } from './suite.js'
import { createWorld } from './world.js'

/** What an agent and a user have been through together. */
export function describeAgentUsers(opened: OpenedStorage): void {
  describe('users of an agent', () => {
    it('are made once, by one of those that come at once', async () => {
      const world = await createWorld(opened())
      const ensured = await Promise.all(
        Array.from({ length: 5 }, () =>
          world.as('ada', ({ agentUsers }) => agentUsers.ensure(world.agentId, 'ada')),
        ),
      )
      expect(ensured.filter(({ created }) => created)).toHaveLength(1)
      expect(ensured[0]?.user).toMatchObject({ userId: 'ada', turns: 0, onboardedAt: undefined })
      const find = (userId: string) =>
        world.as(userId, ({ agentUsers }) => agentUsers.find(world.agentId, 'ada'))
      expect(await find('ada')).toMatchObject({ userId: 'ada' })
      expect(await find('bob')).toBeUndefined()
    })

    it('have a turn counted once, however often it is told', async () => {
      const world = await createWorld(opened())
      await world.as('ada', async ({ agentUsers }) => {
        await agentUsers.ensure(world.agentId, 'ada')
        const count = (turnId: string) => agentUsers.countTurn(world.agentId, 'ada', turnId)
        expect([await count('a'), await count('a'), await count('b')]).toEqual([1, 1, 2])
      })
    })

    it('end their first-run ritual once and for all', async () => {
      const world = await createWorld(opened())
      await world.as('ada', async ({ agentUsers }) => {
        await agentUsers.ensure(world.agentId, 'ada')
        await agentUsers.completeOnboarding(world.agentId, 'ada', NOW)
        await agentUsers.completeOnboarding(world.agentId, 'ada', after(99))
        const { user, created } = await agentUsers.ensure(world.agentId, 'ada')
        expect([user.onboardedAt, created]).toEqual([NOW, false])
      })
    })

    it('are of an agent that there is', async () => {
      const world = await createWorld(opened())
      for (const agentId of [generateId(), 'nonsense']) {
        const ensured = world.as('ada', ({ agentUsers }) => agentUsers.ensure(agentId, 'ada'))
        await expect(ensured).rejects.toSatisfy((error) => NotFoundError.isInstance(error))
      }
    })
  })
}
