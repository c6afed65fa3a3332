import { is, sql } from 'drizzle-orm'
import { PgArray, getTableConfig, type PgColumn } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createStatementGate, execute } from '../src/database.js'
import { createPgliteEngine, type PgliteEngine } from '../src/pglite-engine.js'
import { tables } from '../src/schema/tables.js'
import { migratedSnapshot } from '../src/testing/index.js'

/** A column as both sides describe it. */
interface Column {
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly hasDefault: boolean
}

const byName = (a: Column, b: Column) => (a.name < b.name ? -1 : 1)

function typeOf(column: PgColumn): string {
  if (is(column, PgArray)) return `${column.baseColumn.getSQLType()}[]`
  return column.getSQLType().replace(/ \(/, '(')
}

function describedByDrizzle(columns: readonly PgColumn[]): readonly Column[] {
  return columns
    .map((column) => ({
      name: column.name,
      type: typeOf(column),
      required: column.notNull,
      hasDefault:
        column.hasDefault ||
        column.generated !== undefined ||
        column.generatedIdentity !== undefined,
    }))
    .toSorted(byName)
}

let engine: PgliteEngine

beforeAll(async () => {
  engine = await createPgliteEngine({ snapshot: await migratedSnapshot() })
})
afterAll(async () => {
  await engine.close()
})

const query = <Row>(statement: ReturnType<typeof sql>) =>
  engine.transaction((database) => execute<Row>(database, statement), createStatementGate())

describe('the drizzle schema', () => {
  it.each(tables.map((table) => [getTableConfig(table).name, table] as const))(
    'describes %s as the migrations leave it',
    async (name, table) => {
      const rows = await query<Column>(
        sql`select a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
          a.attnotnull as required, (a.atthasdef or a.attidentity <> '') as "hasDefault"
        from pg_attribute a where a.attrelid = ${`loam.${name}`}::text::regclass and a.attnum > 0 and not a.attisdropped`,
      )
      expect(describedByDrizzle(getTableConfig(table).columns)).toEqual(rows.toSorted(byName))
    },
  )

  it('knows every table', async () => {
    const rows = await query<{ name: string }>(
      sql`select relname as name from pg_class where relnamespace = 'loam'::regnamespace and relkind = 'r'`,
    )
    const known = tables.map((table) => getTableConfig(table).name)
    expect(rows.map(({ name }) => name).toSorted()).toEqual([...known, 'migrations'].toSorted())
  })
})

describe('the migrated database', () => {
  // What has no tenant: the steps applied, and the spaces of the installation. The tenants' own id is their tenant.
  const WITHOUT_TENANT = new Set(['embedding_spaces', 'migrations', 'tenants'])

  it('leads every key and foreign key of a tenant’s table with the tenant', async () => {
    const rows = await query<{ table: string; name: string; first: string; foreignTable: string }>(
      sql`select t.relname as table, c.conname as name, coalesce(f.relname, '') as "foreignTable",
        (select a.attname from pg_attribute a where a.attrelid = c.conrelid and a.attnum = c.conkey[1]) as first
      from pg_constraint c join pg_class t on t.oid = c.conrelid left join pg_class f on f.oid = c.confrelid
      where t.relnamespace = 'loam'::regnamespace and c.contype in ('p', 'u', 'f')`,
    )
    const others = rows.filter(
      ({ table, name, first, foreignTable }) =>
        first !== 'tenant_id' &&
        !WITHOUT_TENANT.has(table) &&
        foreignTable !== 'embedding_spaces' &&
        // A secret's hash tells whose it is, so it is unique among all tenants.
        name !== 'api_keys_hash_key',
    )
    expect(others).toEqual([])
    expect(rows.length).toBeGreaterThan(40)
  })

  it('has row-level security enabled and forced on every table of tenants', async () => {
    const rows = await query<{ name: string; enabled: boolean; forced: boolean }>(
      sql`select relname as name, relrowsecurity as enabled, relforcerowsecurity as forced
      from pg_class where relnamespace = 'loam'::regnamespace and relkind = 'r'`,
    )
    const open = rows.filter(({ enabled, forced }) => !enabled || !forced).map(({ name }) => name)
    expect(open.toSorted()).toEqual(['embedding_spaces', 'migrations'])
  })

  it('has an index that begins with the columns of every foreign key that cascades', async () => {
    const rows = await query<{ name: string }>(
      sql`select c.conname as name from pg_constraint c
      where c.connamespace = 'loam'::regnamespace and c.contype = 'f' and c.confdeltype = 'c' and not exists (
        select from pg_index i where i.indrelid = c.conrelid
          and (i.indkey::int2[])[0:cardinality(c.conkey) - 1] = c.conkey::int2[])`,
    )
    expect(rows).toEqual([])
  })
})
