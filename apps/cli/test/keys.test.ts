import { createTestDatabase, postgresTestUrl } from '@loam/storage-postgres/testing'
import { describe, expect, it } from 'vitest'
import { runLoam, withHome } from './run-loam.js'

const [FIRST, NEXT] = ['the-first-key-of-all', 'the-key-that-follows']

describe('loam keys', () => {
  it.skipIf(postgresTestUrl() === undefined)(
    'changes a key of a database without a moment in which none is accepted',
    async () => {
      const database = await createTestDatabase(postgresTestUrl() ?? '')
      await withHome(async (home) => {
        const common = { LOAM_HOME: home, LOAM_DATABASE_URL: database.url }
        const loam = (key: string, ...args: string[]) =>
          runLoam(args, { ...common, LOAM_API_KEY: key })
        expect((await loam(FIRST, 'keys', 'list')).stdout).toContain('There is no key yet')
        const early = await loam(FIRST, 'dlq', 'list')
        expect(early).toMatchObject({ code: 1 })
        expect(early.stderr).toContain('loam serve')
        expect((await loam(FIRST, 'keys', 'add', 'environment')).code).toBe(0)
        const other = await loam(NEXT, 'doctor')
        expect(other.code).toBe(1)
        expect(other.stdout).toContain('LOAM_API_KEY')
        expect((await loam(NEXT, 'keys', 'add', 'environment')).stderr).toContain('(conflict)')
        expect((await loam(NEXT, 'keys', 'add', 'next')).code).toBe(0)
        for (const key of [FIRST, NEXT]) expect((await loam(key, 'dlq', 'list')).code).toBe(0)
        expect((await loam(NEXT, 'keys', 'revoke', 'environment')).code).toBe(0)
        expect((await loam(FIRST, 'dlq', 'list')).code).toBe(1)
        expect((await loam(NEXT, 'dlq', 'list')).code).toBe(0)
        const listed = await loam(NEXT, 'keys', 'list', '--json')
        expect(JSON.parse(listed.stdout)).toMatchObject({ items: [{ name: 'next' }] })
        expect((await loam(NEXT, 'keys', 'revoke', 'nobody')).stderr).toContain('(not_found)')
      })
      await database.drop()
    },
    60_000,
  )

  it('makes, lists and ends keys of users in a store that one process has', async () => {
    await withHome(async (home) => {
      const common = { LOAM_HOME: home }
      const loam = (args: readonly string[], env = {}) => runLoam(args, { ...common, ...env })
      expect((await loam(['keys', 'list'])).stdout).toContain('no key for a single user')
      await loam(['agent', 'create', 'helper'])
      const made = await loam(['keys', 'add', 'phone', '--user', 'ana'])
      const LOAM_API_KEY = made.stdout.trim()
      expect(LOAM_API_KEY).toMatch(/^loam_\w{40}$/)
      expect((await loam(['keys', 'list'])).stdout).toContain('acts for the user ana')
      expect((await loam(['keys', 'add', 'phone', '--user', 'bob'])).stderr).toContain('(conflict)')
      expect((await loam(['keys', 'revoke', 'phone'])).code).toBe(0)
      expect((await loam(['keys', 'revoke', 'phone'])).stderr).toContain('(not_found)')
    })
  }, 120_000)
})
