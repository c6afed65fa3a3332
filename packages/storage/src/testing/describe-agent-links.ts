import { NotFoundError, generateId } from '@loam/core'
import { describe, expect, it } from 'vitest'
import type { OpenedStorage } from './suite.js'
import { createWorld } from './world.js'

/** Which agents an agent may hand work to. */
export function describeAgentLinks(opened: OpenedStorage): void {
  describe('links of agents', () => {
    it('are listed by the key of their target, with what it says of itself', async () => {
      const world = await createWorld(opened())
      const [writer, coder] = [await world.addAgent('writer'), await world.addAgent('coder')]
      await world.asEveryone(async ({ agents, agentLinks }) => {
        await agents.update(coder, { displayName: 'Coder', description: 'Writes code.' })
        const link = { fromAgentId: world.agentId, description: undefined }
        await agentLinks.put({ ...link, toAgentId: writer, description: 'For letters' })
        await agentLinks.put({ ...link, toAgentId: coder })
        await agentLinks.put({ ...link, toAgentId: writer, description: 'For texts' })
        const targets = await agentLinks.list(world.agentId)
        expect(targets).toMatchObject([
          {
            description: undefined,
            target: { key: 'coder', displayName: 'Coder', description: 'Writes code.' },
          },
          { description: 'For texts', target: { id: writer, key: 'writer' } },
        ])
        expect(await agentLinks.list(writer)).toEqual([])
        expect(await agentLinks.delete(world.agentId, writer)).toBe(true)
        expect(await agentLinks.delete(world.agentId, writer)).toBe(false)
      })
    })

    it('lead to agents of the same tenant, and go with either of the two', async () => {
      const world = await createWorld(opened())
      const other = await createWorld(opened())
      const target = await world.addAgent('target')
      const put = (toAgentId: string) =>
        world.asEveryone(({ agentLinks }) =>
          agentLinks.put({ fromAgentId: world.agentId, toAgentId, description: undefined }),
        )
      for (const toAgentId of [other.agentId, generateId()]) {
        await expect(put(toAgentId)).rejects.toSatisfy((error) => NotFoundError.isInstance(error))
      }
      await put(target)
      await world.asEveryone(({ agents }) => agents.delete(target))
      const left = world.asEveryone(({ agentLinks }) => agentLinks.list(world.agentId))
      expect(await left).toEqual([])
    })
  })
}
