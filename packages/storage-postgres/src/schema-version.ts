import { ConfigurationError, SchemaTooNewError } from '@loam/core'
import { sql } from 'drizzle-orm'
import { createStatementGate, execute, executeOne, type Database, type Engine } from './database.js'
import { sqlStateOf, toStorageError } from './driver-errors.js'
import { loadMigrations } from './migration-files.js'

/** The newest version that this release knows. */
export async function expectedSchemaVersion(): Promise<number> {
  return (await loadMigrations()).at(-1)?.version ?? 0
}

/** The version that the database has; 0 when it was never migrated. */
export async function readSchemaVersion(engine: Engine): Promise<number> {
  const gate = createStatementGate()
  try {
    return await engine.transaction(async (database) => {
      if (!(await hasTable(database))) return 0
      await execute(database, sql`select set_config('role', 'loam_app', true)`)
      return await newestVersion(database)
    }, gate)
  } catch (error) {
    if (sqlStateOf(error) !== '42501') throw toStorageError(error)
    throw new ConfigurationError({
      message:
        'The database login may not act as loam_app. Run `loam migrate` with the login of the owner, which grants the roles to this one.',
      issues: [{ path: 'databaseUrl', message: 'names a login without the role loam_app' }],
    })
  }
}

/** The newest version among those applied; the table must be there. */
export async function newestVersion(database: Database): Promise<number> {
  const { version } = await executeOne<{ version: number }>(
    database,
    sql`select coalesce(max(version), 0)::int as version from loam.migrations`,
  )
  return version
}

// The catalogue may be read by all, whereas naming a table in a schema without the right to use it is an error.
async function hasTable(database: Database): Promise<boolean> {
  const rows = await execute(
    database,
    sql`select from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'loam' and c.relname = 'migrations'`,
  )
  return rows.length > 0
}

/** @throws SchemaTooNewError when the database was migrated by a newer release. */
export function refuseNewer(version: number, expected: number): void {
  if (version <= expected) return
  throw new SchemaTooNewError({
    message: `The database has schema version ${version}, and this release knows ${expected}. Install the release that migrated it, or a newer one.`,
    details: { version, expected },
  })
}

/** @throws SchemaTooNewError or ConfigurationError when this release cannot work with the database. */
export async function checkSchemaVersion(engine: Engine): Promise<void> {
  const version = await readSchemaVersion(engine)
  const expected = await expectedSchemaVersion()
  refuseNewer(version, expected)
  if (version === expected) return
  throw new ConfigurationError({
    message: `The database has schema version ${version}, and this release needs ${expected}. Run \`loam migrate\`.`,
    details: { version, expected },
    issues: [{ path: 'databaseUrl', message: `has schema version ${version}, not ${expected}` }],
  })
}
