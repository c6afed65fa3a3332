import { ConflictError, generateId } from '@loam/core'
import { describe, expect, it } from 'vitest'
import type { OpenedStorage } from './suite.js'
import { createWorld } from './world.js'

/** Tenants, from inside one and from the system. */
export function describeTenants(opened: OpenedStorage): void {
  describe('tenants', () => {
    it('makes the tenant once and returns it after that', async () => {
      const tenantId = generateId()
      const ensure = (name: string) =>
        opened().transaction({ tenantId, everyUser: true }, ({ tenants }) =>
          tenants.ensure({ slug: `slug-${tenantId}`, name }),
        )
      const made = await ensure('First')
      expect(made).toMatchObject({ id: tenantId, slug: `slug-${tenantId}`, name: 'First' })
      expect(made.createdAt).toBeInstanceOf(Date)
      expect(await ensure('Second')).toEqual(made)
    })

    it('refuses the slug of another tenant', async () => {
      const world = await createWorld(opened())
      const taken = opened().transaction({ tenantId: generateId(), everyUser: true }, (stores) =>
        stores.tenants.ensure({ slug: `test-${world.tenantId}`, name: 'Other' }),
      )
      await expect(taken).rejects.toSatisfy((error) => ConflictError.isInstance(error))
    })

    it('finds only the tenant of the unit of work', async () => {
      const world = await createWorld(opened())
      const find = (tenantId: string) =>
        opened().transaction({ tenantId, userId: '' }, ({ tenants }) => tenants.find())
      expect(await find(world.tenantId)).toMatchObject({ id: world.tenantId })
      expect(await find(generateId())).toBeUndefined()
    })

    it('lists all tenants for the system', async () => {
      const worlds = [await createWorld(opened()), await createWorld(opened())]
      const listed = await opened().system.tenants.list()
      const ids = listed.map(({ id }) => id)
      expect(ids).toEqual(expect.arrayContaining(worlds.map(({ tenantId }) => tenantId)))
    })
  })
}
