import {
  openOver,
  openStorage,
  type OpenStorageOptions,
  type PostgresStorage,
} from '../open-storage.js'
import { createPgliteEngine } from '../pglite-engine.js'
import { migratedSnapshot } from './pglite-snapshot.js'
import { createTestDatabase } from './postgres-database.js'
import { postgresTestUrl } from './postgres-url.js'

export interface TestStorageOptions extends OpenStorageOptions {
  /** Default `pglite`. */
  readonly engine?: 'pglite' | 'postgres' | undefined
}

/**
 * Makes an empty, migrated store of a test's own: PGlite in memory, or a database on the server of `LOAM_TEST_DATABASE_URL`. Closing
 * it removes it.
 *
 * @throws Error when `postgres` is wanted and there is no server, and on closing when a connection was left open.
 */
export async function createTestStorage({
  engine = 'pglite',
  ...options
}: TestStorageOptions = {}): Promise<PostgresStorage> {
  if (engine === 'pglite') {
    const { statementLogger } = options
    const snapshot = await migratedSnapshot()
    const pglite = await createPgliteEngine({ snapshot, statementLogger })
    return await openOver(pglite, { ...options, migrate: false })
  }
  const serverUrl = postgresTestUrl()
  if (serverUrl === undefined) throw new Error('Set LOAM_TEST_DATABASE_URL to test on Postgres.')
  const database = await createTestDatabase(serverUrl)
  const storage = await openStorage(database.url, options)
  const close = async () => {
    await storage.close()
    await database.drop()
  }
  let closed: Promise<void> | undefined
  const closeOnce = () => (closed ??= close())
  return { ...storage, close: closeOnce, [Symbol.asyncDispose]: closeOnce }
}

/** Runs work with a store of its own, and removes the store whatever becomes of the work. */
export async function withStorage<Result>(
  work: (storage: PostgresStorage) => Promise<Result>,
  options?: TestStorageOptions,
): Promise<Result> {
  const storage = await createTestStorage(options)
  try {
    return await work(storage)
  } finally {
    await storage.close()
  }
}
