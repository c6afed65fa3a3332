import { generateId } from '@loam/core'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createStatementGate,
  execute,
  type Database,
  type Engine,
  type Statement,
} from '../src/database.js'
import { sqlStateOf } from '../src/driver-errors.js'
import { openOver, type PostgresStorage } from '../src/open-storage.js'
import { createPgliteEngine } from '../src/pglite-engine.js'
import { createPostgresEngine } from '../src/postgres-engine.js'
import { createTestDatabase, migratedSnapshot, postgresTestUrl } from '../src/testing/index.js'
import { enterAs } from '../src/unit-of-work.js'
import { fillStore, type FilledTenant } from './fill-store.js'

const engines = [
  { name: 'pglite', skipped: false },
  { name: 'postgres', skipped: postgresTestUrl() === undefined },
] as const

const TABLES = [
  'tenants',
  'agents',
  'sessions',
  'messages',
  'runs',
  'episodes',
  'documents',
  'scopes',
  'chunks',
  'postings',
  'chunk_groups',
  'chunk_vectors',
  'events',
  'deliveries',
  'model_calls',
  'model_usage',
] as const

/** Whether Postgres refused for want of a right, or by a policy. */
const isRefusal = (error: unknown) => sqlStateOf(error) === '42501'

const count = (table: string) => async (database: Database) => {
  const rows = await execute<{ count: number }>(
    database,
    sql.raw(`select count(*)::int as count from loam.${table}`),
  )
  return rows[0]?.count
}
describe.each(engines)('row-level security on $name', ({ name, skipped }) => {
  let engine: Engine
  let storage: PostgresStorage | undefined
  let tenants: readonly FilledTenant[]
  let drop: (() => Promise<void>) | undefined

  beforeAll(async () => {
    if (skipped) return
    const serverUrl = postgresTestUrl()
    if (name === 'postgres' && serverUrl !== undefined) {
      const database = await createTestDatabase(serverUrl)
      drop = () => database.drop()
      engine = createPostgresEngine(database.url, {
        maxConnections: 2,
        applicationName: 'row-level-security',
        onNotice: () => {},
      })
    } else {
      engine = await createPgliteEngine({ snapshot: await migratedSnapshot() })
    }
    storage = await openOver(engine, { migrate: false })
    tenants = await fillStore(engine, storage)
  }, 300_000)
  afterAll(async () => {
    await storage?.close()
    await drop?.()
  })

  const tenant = (index = 0): FilledTenant => {
    const found = tenants[index]
    if (found === undefined) throw new Error('There is no such tenant.')
    return found
  }
  const run = <Result>(entry: Statement, work: (database: Database) => Promise<Result>) =>
    engine.transaction(work, createStatementGate(), entry)
  const asApp = { text: `select set_config('role', 'loam_app', true)`, values: [] }

  it.skipIf(skipped).each(TABLES)('shows no row of %s without a tenant', async (table) => {
    expect(await run(asApp, count(table))).toBe(0)
    const otherSettings = {
      text: `select set_config('role', 'loam_app', true), set_config('loam.tenant', '', true),
        set_config('loam.user', 'user1', true), set_config('loam.every_user', 'on', true)`,
      values: [],
    }
    expect(await run(otherSettings, count(table))).toBe(0)
    const everyone = enterAs({ tenantId: tenant().tenantId, everyUser: true })
    expect(await run(everyone, count(table))).toBeGreaterThan(0)
  })

  it.skipIf(skipped)('shows a user the same rows as a condition on the user would', async () => {
    const { tenantId, user } = tenant()
    const entry = enterAs({ tenantId, userId: user })
    for (const table of ['sessions', 'messages', 'chunks', 'documents', 'model_calls']) {
      const foreign = sql.raw(
        `loam.${table} where user_id not in ('', 'user1') or tenant_id <> '${tenantId}'`,
      )
      const [row] = await run(entry, (database) =>
        execute<{ count: number }>(database, sql`select count(*)::int as count from ${foreign}`),
      )
      expect(row).toEqual({ count: 0 })
      expect(await run(entry, count(table))).toBeGreaterThan(0)
    }
    // Postings, groups and vectors have no user of their own; they follow their scope.
    const all = await run(enterAs({ tenantId, everyUser: true }), count('postings'))
    const own = await run(entry, count('postings'))
    expect(own).toBeGreaterThan(0)
    expect(own).toBeLessThan((all ?? 0) / 10)
  })

  it.skipIf(skipped)('takes an empty user for nobody', async () => {
    const entry = enterAs({ tenantId: tenant().tenantId, userId: '' })
    for (const table of ['sessions', 'messages', 'chunks', 'postings', 'documents']) {
      expect(await run(entry, count(table))).toBe(0)
    }
  })

  const refusals = {
    'a document for another user': ({ tenantId, agentId }: FilledTenant) =>
      sql`insert into loam.documents (tenant_id, id, agent_id, user_id, path, content, hash, index_state)
        values (${tenantId}, ${generateId()}, ${agentId}, 'user2', 'x', '', '', 'pending')`,
    'a document for another tenant': () => {
      const { tenantId, agentId } = tenant(1)
      return sql`insert into loam.documents (tenant_id, id, agent_id, user_id, path, content, hash, index_state)
        values (${tenantId}, ${generateId()}, ${agentId}, '', 'x', '', '', 'pending')`
    },
    'a row that it gives to another user': ({ tenantId, sessionId }: FilledTenant) =>
      sql`update loam.sessions set user_id = 'user2' where tenant_id = ${tenantId} and id = ${sessionId}`,
    'an agent of another tenant': () =>
      sql`insert into loam.agents (tenant_id, id, key, type) values (${tenant(1).tenantId}, ${generateId()}, 'x', 'open')`,
    'a vector in another user’s scope': ({ tenantId, spaceId }: FilledTenant) =>
      sql`insert into loam.chunk_vectors (tenant_id, chunk_id, space_id, scope_id, dimensions, is_zero, embedding)
        select ${tenantId}, ${tenant().chunkIds[0] ?? ''}::uuid, ${spaceId}::int, 0, 3, false, '[1,2,3]'`,
    'words of its own making': ({ tenantId }: FilledTenant) =>
      sql`insert into loam.postings (tenant_id, chunk_id, scope_id, frequency, length, term)
        select ${tenantId}, ${generateId()}::uuid, scope_id, 1, 1, 'x' from loam.scopes limit 1`,
    'counts of its own making': () => sql`update loam.scopes set chunk_count = 0`,
    'a change of a message': () => sql`update loam.messages set content = '"forged"'`,
    'a delivery done': () => sql`update loam.deliveries set state = 'done'`,
  }
  it.skipIf(skipped).each(Object.keys(refusals) as (keyof typeof refusals)[])(
    'refuses the application %s',
    async (what) => {
      const { tenantId, user } = tenant()
      const attempt = run(enterAs({ tenantId, userId: user }), (database) =>
        execute(database, refusals[what](tenant())),
      )
      await expect(attempt).rejects.toSatisfy(isRefusal)
    },
  )

  it.skipIf(skipped)('does not let a user delete an agent, with whatever statement', async () => {
    const { tenantId, agentId, user } = tenant()
    const remove = sql`delete from loam.agents where tenant_id = ${tenantId} and id = ${agentId} returning id`
    const deleted = run(enterAs({ tenantId, userId: user }), (database) =>
      execute(database, remove),
    )
    expect(await deleted).toEqual([])
  })

  it.skipIf(skipped).each(['tenants', 'events', 'deliveries'])(
    'lets the system read %s of all tenants',
    async (table) => {
      expect(await run(enterAs('system'), count(table))).toBeGreaterThan(0)
    },
  )

  it
    .skipIf(skipped)
    .each(TABLES.filter((table) => !['tenants', 'events', 'deliveries'].includes(table)))(
    'does not let the system read %s',
    async (table) => {
      await expect(run(enterAs('system'), count(table))).rejects.toSatisfy(isRefusal)
    },
  )

  it
    .skipIf(skipped)
    .each([`ordering_key = 'x'`, `user_id = 'x'`, `consumer = 'x'`, `tenant_id = null`])(
    'does not let the system set %s of a delivery',
    async (set) => {
      const change = run(enterAs('system'), (database) =>
        execute(database, sql.raw(`update loam.deliveries set ${set} where false`)),
      )
      await expect(change).rejects.toSatisfy(isRefusal)
    },
  )

  it.skipIf(skipped)('leaves neither role nor tenant behind in the connection', async () => {
    const { tenantId } = tenant()
    await run(enterAs({ tenantId, everyUser: true }), async () => {})
    const failed = run(enterAs({ tenantId, everyUser: true }), async () => {
      throw new Error('undone')
    })
    await expect(failed).rejects.toThrow('undone')
    const [row] = await engine.transaction(
      (database) =>
        execute(
          database,
          sql`select current_user = session_user as itself, coalesce(current_setting('loam.tenant', true), '') as tenant,
            coalesce(current_setting('loam.every_user', true), '') as every`,
        ),
      createStatementGate(),
    )
    expect(row).toEqual({ itself: true, tenant: '', every: '' })
  })

  it.skipIf(skipped)(
    'leaves nothing behind of a session, a document and an agent that are deleted',
    async () => {
      const { tenantId, agentId, sessionId, user } = tenant(2)
      const leftovers = async () => {
        const [row] = await run(enterAs({ tenantId, everyUser: true }), (database) =>
          execute<Record<string, number>>(
            database,
            sql`select
            (select count(*)::int from loam.postings p where not exists
              (select from loam.chunks c where c.tenant_id = p.tenant_id and c.id = p.chunk_id)) as postings,
            (select count(*)::int from loam.chunk_vectors v where not exists
              (select from loam.chunks c where c.tenant_id = v.tenant_id and c.id = v.chunk_id)) as vectors,
            (select count(*)::int from loam.chunk_groups g where g.chunk_count <>
              (select count(*) from loam.chunks c where c.tenant_id = g.tenant_id and c.group_id = g.group_id)) as groups,
            (select count(*)::int from loam.scopes s where concat(s.chunk_count, ' ', s.term_count) <>
              (select concat(count(*), ' ', coalesce(sum(length), 0)) from loam.chunks c
                where c.tenant_id = s.tenant_id and c.scope_id = s.scope_id)) as counts,
            (select count(*)::int from loam.deliveries d where not exists
              (select from loam.events e where e.tenant_id = d.tenant_id and e.id = d.event_id)) as deliveries`,
          ),
        )
        return row
      }
      const nothing = { postings: 0, vectors: 0, groups: 0, counts: 0, deliveries: 0 }
      expect(await leftovers()).toEqual(nothing)
      await storage?.transaction({ tenantId, userId: user }, async ({ sessions, documents }) => {
        await sessions.delete(sessionId)
        await documents.delete(agentId, user, 'notes/3.md')
      })
      expect(await leftovers()).toEqual(nothing)
      await storage?.transaction({ tenantId, everyUser: true }, ({ agents }) =>
        agents.delete(agentId),
      )
      for (const table of TABLES.filter(
        (each) => !['tenants', 'model_calls', 'model_usage'].includes(each),
      )) {
        expect([table, await run(enterAs({ tenantId, everyUser: true }), count(table))]).toEqual([
          table,
          0,
        ])
      }
      expect(
        await run(enterAs({ tenantId: tenant().tenantId, everyUser: true }), count('postings')),
      ).toBeGreaterThan(0)
    },
  )
})
