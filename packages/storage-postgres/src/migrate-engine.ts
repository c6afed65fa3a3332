import { ConfigurationError, StorageFailedError, silentLogger, type Logger } from '@loam/core'
import { sql } from 'drizzle-orm'
import { createStatementGate, execute, type Database, type Engine } from './database.js'
import { driverErrorOf, sqlStateOf, toStorageError } from './driver-errors.js'
import { loadMigrations, type Migration } from './migration-files.js'
import { refuseNewer } from './schema-version.js'

export interface MigrateOptions {
  /** A login that is to act under the application's roles, if not the one that migrates. */
  readonly grantTo?: string | undefined
  /** Default: silent. */
  readonly logger?: Logger | undefined
}

/** What `migrate` did. */
export interface MigrationResult {
  /** Version before and after. */
  readonly from: number
  readonly to: number
  /** Names of the steps applied. */
  readonly applied: readonly string[]
}

// Names the lock under which processes migrate one after the other.
const MIGRATION_LOCK = 7_420_002

/** Brings the schema to this release's version. Processes that start together take turns. */
export async function migrateEngine(
  engine: Engine,
  { grantTo, logger = silentLogger }: MigrateOptions = {},
): Promise<MigrationResult> {
  try {
    const migrations = await loadMigrations()
    const from = await inTurn(engine, (database) => prepare(database, migrations))
    const applied: string[] = []
    for (const migration of migrations) {
      const done = await inTurn(engine, (database) => apply(database, migration))
      if (!done) continue
      applied.push(migration.name)
      logger.info('migration-applied', { version: migration.version, name: migration.name })
    }
    if (grantTo !== undefined) {
      await inTurn(engine, (database) =>
        execute(database, sql`grant loam_app, loam_system to ${sql.identifier(grantTo)}`),
      )
    }
    return { from, to: migrations.at(-1)?.version ?? 0, applied }
  } catch (error) {
    throw toMigrationError(error)
  }
}

/** Runs work in a transaction that no other process's migration runs beside. */
function inTurn<Result>(engine: Engine, work: (database: Database) => Promise<Result>) {
  return engine.transaction(async (database) => {
    await execute(database, sql`select pg_advisory_xact_lock(${MIGRATION_LOCK}::bigint)::text`)
    return await work(database)
  }, createStatementGate())
}

/** Makes the table of applied steps, and checks that they are the ones that this release knows. */
async function prepare(database: Database, migrations: readonly Migration[]): Promise<number> {
  await execute(database, sql`create schema if not exists loam`)
  await execute(
    database,
    sql`create table if not exists loam.migrations (
      version integer primary key, name text not null, checksum text not null,
      applied_at timestamptz(3) not null default clock_timestamp()
    )`,
  )
  const rows = await execute<{ version: number; name: string; checksum: string }>(
    database,
    sql`select version, name, checksum from loam.migrations order by version`,
  )
  const version = rows.at(-1)?.version ?? 0
  refuseNewer(version, migrations.at(-1)?.version ?? 0)
  for (const row of rows) {
    const known = migrations.find((migration) => migration.version === row.version)
    if (known?.checksum === row.checksum) continue
    throw new StorageFailedError({
      message: `The database was migrated with another ${row.name} than this release has. Restore the release that migrated it.`,
      details: { version: row.version, name: row.name },
    })
  }
  return version
}

/** Applies a step unless it is applied; returns whether it was now. */
async function apply(database: Database, migration: Migration): Promise<boolean> {
  const { version, name, checksum, statements } = migration
  const present = await execute(
    database,
    sql`select from loam.migrations where version = ${version}::int`,
  )
  if (present.length > 0) return false
  for (const statement of splitStatements(statements)) await execute(database, sql.raw(statement))
  await execute(
    database,
    sql`insert into loam.migrations (version, name, checksum) values (${version}, ${name}, ${checksum})`,
  )
  return true
}

/** The statements of a file, one by one, since a prepared statement holds only one. Dollar quotes are kept whole. */
export function splitStatements(file: string): readonly string[] {
  const parts = file.split(/(\$\w*\$)/)
  const statements: string[] = []
  let current = ''
  let quote: string | undefined
  for (const part of parts) {
    if (quote === undefined && !/^\$\w*\$$/.test(part)) {
      const pieces = part.replaceAll(/^\s*--.*$/gm, '').split(';')
      for (const piece of pieces.slice(0, -1)) {
        statements.push(current + piece)
        current = ''
      }
      current += pieces.at(-1) ?? ''
      continue
    }
    if (quote === undefined) quote = part
    else if (part === quote) quote = undefined
    current += part
  }
  return [...statements, current].map((statement) => statement.trim()).filter(Boolean)
}

function toMigrationError(error: unknown): unknown {
  const state = sqlStateOf(error)
  const driverError = driverErrorOf(error)
  const text = driverError instanceof Error ? driverError.message : ''
  // Postgres 15 says 0A000 of an extension that is not installed, other versions 58P01.
  if ((state === '0A000' || state === '58P01') && text.includes('vector')) {
    return new ConfigurationError({
      message:
        'The database server lacks the extension pgvector. Install pgvector 0.8 or newer on it (https://github.com/pgvector/pgvector).',
      issues: [{ path: 'databaseUrl', message: 'names a server without pgvector' }],
    })
  }
  if (state === '42501') {
    return new ConfigurationError({
      message: `The login that migrates lacks a right: ${text}. It needs to create schemas in the database, roles (or find loam_app and loam_system there, granted to it), and the extension vector (or find it there).`,
      issues: [
        { path: 'migrationDatabaseUrl', message: 'names a login without the rights to migrate' },
      ],
    })
  }
  return toStorageError(error)
}
