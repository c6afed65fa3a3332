import { generateId } from '@loam/core'
import { describe, expect, it } from 'vitest'
import type { ApiKeyStore } from '../api-keys.js'
import type { OpenedStorage } from './suite.js'
import { createWorld } from './world.js'

const newKey = (name: string, userId?: string) => ({
  id: generateId(),
  name,
  hash: `hash-of-${generateId()}`,
  userId,
})

/** Keys, from inside a tenant and from the system. */
export function describeApiKeys(opened: OpenedStorage): void {
  describe('api keys', () => {
    it('finds whose a key is by the hash of its secret', async () => {
      const world = await createWorld(opened())
      const key = newKey('environment')
      const bound = newKey('of-ada', 'ada')
      await world.asEveryone(({ apiKeys }) => apiKeys.put(key))
      await world.asEveryone(({ apiKeys }) => apiKeys.put(bound))
      const find = (hash: string) => opened().system.apiKeys.findByHash(hash)
      expect(await find(key.hash)).toMatchObject({
        id: key.id,
        tenantId: world.tenantId,
        name: 'environment',
        userId: undefined,
      })
      expect(await find(bound.hash)).toMatchObject({ id: bound.id, userId: 'ada' })
      expect(await find('hash-of-nothing')).toBeUndefined()
    })

    it('adds a key, and leaves alone what has its name or its secret', async () => {
      const world = await createWorld(opened())
      const first = newKey('environment')
      const add = (key: typeof first) => world.asEveryone(({ apiKeys }) => apiKeys.add(key))
      expect(await add(first)).toMatchObject({ id: first.id, name: 'environment' })
      const sameName = newKey('environment')
      expect(await add(sameName)).toBeUndefined()
      expect(await add({ ...newKey('other'), hash: first.hash })).toBeUndefined()
      const find = (hash: string) => opened().system.apiKeys.findByHash(hash)
      expect(await find(first.hash)).toMatchObject({ id: first.id, name: 'environment' })
      expect(await find(sameName.hash)).toBeUndefined()
    })

    it('gives the key of a name another secret, and forgets the old one', async () => {
      const world = await createWorld(opened())
      const old = newKey('environment')
      const renewed = newKey('environment')
      await world.asEveryone(({ apiKeys }) => apiKeys.put(old))
      const put = await world.asEveryone(({ apiKeys }) => apiKeys.put(renewed))
      expect(put.id).toBe(old.id)
      const find = (hash: string) => opened().system.apiKeys.findByHash(hash)
      expect(await find(old.hash)).toBeUndefined()
      expect(await find(renewed.hash)).toMatchObject({ id: old.id })
    })

    it('lists the keys of its tenant by name, and deletes one', async () => {
      const world = await createWorld(opened())
      const other = await createWorld(opened())
      const [second, first] = [newKey('b'), newKey('a')]
      for (const key of [second, first]) await world.asEveryone(({ apiKeys }) => apiKeys.put(key))
      await other.asEveryone(({ apiKeys }) => apiKeys.put(newKey('c')))
      const names = () =>
        world.asEveryone(async ({ apiKeys }) => (await apiKeys.list()).map(({ name }) => name))
      expect(await names()).toEqual(['a', 'b'])
      const drop = (id: string) => world.asEveryone(({ apiKeys }) => apiKeys.delete(id))
      expect(await drop(first.id)).toBe(true)
      expect(await drop(first.id)).toBe(false)
      expect(await drop('no-uuid')).toBe(false)
      expect(await names()).toEqual(['b'])
      expect(await other.asEveryone(({ apiKeys }) => apiKeys.delete(second.id))).toBe(false)
    })

    it('lists the keys of users page by page, or those of one user', async () => {
      const world = await createWorld(opened())
      const other = await createWorld(opened())
      const keys = [
        newKey('environment'),
        newKey('b', 'ada'),
        newKey('a', 'bob'),
        newKey('c', 'ada'),
      ]
      for (const key of keys) await world.asEveryone(({ apiKeys }) => apiKeys.put(key))
      await other.asEveryone(({ apiKeys }) => apiKeys.put(newKey('d', 'ada')))
      const list = (request: Parameters<ApiKeyStore['listBound']>[0]) =>
        world.asEveryone(({ apiKeys }) => apiKeys.listBound(request))
      const find = (name: string) => world.asEveryone(({ apiKeys }) => apiKeys.find(name))
      expect(await find('c')).toMatchObject({ name: 'c', userId: 'ada' })
      expect(await find('d')).toBeUndefined()
      const first = await list({ limit: 2 })
      expect(first.items.map(({ name }) => name)).toEqual(['a', 'b'])
      const rest = await list({ limit: 2, cursor: first.nextCursor })
      expect(rest).toMatchObject({ items: [{ name: 'c', userId: 'ada' }] })
      expect(rest.nextCursor).toBeUndefined()
      const ofAda = await list({ limit: 10, userId: 'ada' })
      expect(ofAda.items.map(({ name }) => name)).toEqual(['b', 'c'])
      await expect(list({ limit: 2, cursor: 'x' })).rejects.toMatchObject({ code: 'invalid_input' })
    })
  })
}
