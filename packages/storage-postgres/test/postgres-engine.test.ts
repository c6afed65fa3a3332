import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createStatementGate, execute, type Engine } from '../src/database.js'
import { sqlStateOf } from '../src/driver-errors.js'
import { createPostgresEngine } from '../src/postgres-engine.js'
import { createStatementNames } from '../src/statement-names.js'
import { createTestDatabase, postgresTestUrl } from '../src/testing/index.js'
import { enterAs, runUnitOfWork, withRetries } from '../src/unit-of-work.js'

const serverUrl = postgresTestUrl()

describe.skipIf(serverUrl === undefined)('the Postgres engine', () => {
  let engine: Engine
  let drop: () => Promise<void>
  beforeAll(async () => {
    const database = await createTestDatabase(serverUrl ?? '')
    drop = () => database.drop()
    // One connection, so that what one transaction leaves behind would meet the next.
    engine = createPostgresEngine(database.url, {
      maxConnections: 1,
      applicationName: 'engine-test',
      onNotice: () => {},
    })
  })
  afterAll(async () => {
    await engine.close()
    await drop()
  })
  const one = sql`select 1 as one`

  it('says why a transaction could not be entered, and not that its statements were refused for it', async () => {
    const entry = { text: `select set_config('role', $1, true)`, values: ['nobody-of-that-name'] }
    const failed = engine.transaction(
      (database) => execute(database, one),
      createStatementGate(),
      entry,
    )
    await expect(failed).rejects.toSatisfy((error) => sqlStateOf(error) === '22023')
    const single = execute(engine.single(entry), one)
    await expect(single).rejects.toSatisfy((error) => sqlStateOf(error) === '22023')
    expect(await execute(engine.single(enterAs('system')), one)).toEqual([{ one: 1 }])
  })

  it('says which of several statements failed first, and undoes all of them', async () => {
    const work = runUnitOfWork(engine, enterAs('system'), (database) =>
      Promise.all([
        execute(database, sql`select set_config('loam.kept', 'yes', false)`),
        execute(database, sql`select 1 / 0`),
        execute(database, one),
      ]),
    )
    await expect(work).rejects.toMatchObject({ details: { sqlState: '22012' } })
    const kept = sql`select coalesce(current_setting('loam.kept', true), '') as kept`
    expect(await execute(engine.single(enterAs('system')), kept)).toEqual([{ kept: '' }])
  })

  it('begins nothing new before a unit of work that only reads has ended', async () => {
    const role = sql`select current_user::text as role`
    const access = { tenantId: '018f0000-0000-7000-8000-000000000000', userId: 'ann' }
    const options = { readOnly: true }
    const asked = Array.from({ length: 20 }, async (_, index) => {
      const entry = enterAs(index % 2 === 0 ? access : 'system')
      const [row] = await runUnitOfWork(
        engine,
        entry,
        (database) => execute<{ role: string }>(database, role),
        options,
      )
      return row?.role
    })
    const expected = asked.map((_, index) => (index % 2 === 0 ? 'loam_app' : 'loam_system'))
    expect(await Promise.all(asked)).toEqual(expected)
  })

  it('goes on with another connection when one has forgotten what was prepared on it', async () => {
    const ask = () => withRetries(() => execute(engine.single(enterAs('system')), one))
    await ask()
    await engine.transaction(async (database) => {
      const prepared = sql`select name from pg_prepared_statements where statement = 'select 1 as one'`
      const [row] = await execute<{ name: string }>(database, prepared)
      await execute(database, sql.raw(`deallocate ${row?.name ?? 'nothing'}`))
    }, createStatementGate())
    expect(await ask()).toEqual([{ one: 1 }])
  })
})

describe('createStatementNames', () => {
  it('gives a statement the same name each time, and no name to more than 300', () => {
    const nameOf = createStatementNames()
    const names = Array.from({ length: 400 }, (_, index) => nameOf(`select ${index}`))
    expect(new Set(names.slice(0, 300)).size).toBe(300)
    expect(names[299]).toBeDefined()
    expect(names.slice(300)).toEqual(Array.from({ length: 100 }, () => undefined))
    expect(nameOf('select 7')).toBe(names[7])
    expect(nameOf('select 399')).toBeUndefined()
  })
})
