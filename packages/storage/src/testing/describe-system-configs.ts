import { describe, expect, it } from 'vitest'
import type { OpenedStorage } from './suite.js'
import { createWorld } from './world.js'

/** What a tenant sets for itself. */
export function describeSystemConfigs(opened: OpenedStorage): void {
  describe('settings of a tenant', () => {
    it('are written, listed by key, and deleted', async () => {
      const world = await createWorld(opened())
      const other = await createWorld(opened())
      await world.asEveryone(async ({ systemConfigs }) => {
        await systemConfigs.put('b.key', '1')
        await systemConfigs.put('a.key', '2')
        await systemConfigs.put('b.key', '3')
        expect((await systemConfigs.list()).map(({ key, value }) => [key, value])).toEqual([
          ['a.key', '2'],
          ['b.key', '3'],
        ])
        expect(await systemConfigs.find('b.key')).toMatchObject({ value: '3' })
        expect(await systemConfigs.delete('b.key')).toBe(true)
        expect(await systemConfigs.delete('b.key')).toBe(false)
        expect(await systemConfigs.find('b.key')).toBeUndefined()
      })
      expect(await other.asEveryone(({ systemConfigs }) => systemConfigs.list())).toEqual([])
    })
  })
}
