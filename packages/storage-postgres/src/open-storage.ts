import { StorageFailedError, StoreInUseError, silentLogger, type Logger } from '@loam/core'
import type { Storage, StorageHealth } from '@loam/storage'
import type { Logger as StatementLogger } from 'drizzle-orm/logger'
import { join } from 'node:path'
import { createStatementGate, type Engine } from './database.js'
import { toStorageError } from './driver-errors.js'
import { lockFolder, type FolderLock } from './folder-lock.js'
import { migrateEngine, type MigrateOptions, type MigrationResult } from './migrate-engine.js'
import { makeOwnFolder, toFolderError } from './own-folder.js'
import { createPgliteEngine } from './pglite-engine.js'
import { createPostgresEngine } from './postgres-engine.js'
import { checkSchemaVersion, expectedSchemaVersion, readSchemaVersion } from './schema-version.js'
import { createStorage } from './storage.js'
import { parseStorageUrl } from './storage-url.js'
import { buildVectorIndex } from './vector-index.js'

export interface OpenStorageOptions {
  /** Whether to bring the schema up to date first. Default: true for PGlite, false for Postgres. */
  readonly migrate?: boolean | undefined
  /** URL of the login that owns the tables, for migrations and indexes. Default: the URL itself. */
  readonly migrationUrl?: string | undefined
  /** Default: silent. */
  readonly logger?: Logger | undefined
  /** Most connections to a Postgres server. Default 10. */
  readonly maxConnections?: number | undefined
  /** How the connections are named on the server. Default `loam`. */
  readonly applicationName?: string | undefined
  /** Gets what the server remarks. Default: logged at debug level. */
  readonly onNotice?:
    | ((notice: { readonly severity: string; readonly message: string }) => void)
    | undefined
  /** Most chunks in the scopes of one search of which every vector is compared, even if there is an index. Default 20,000. */
  readonly exactVectorSearchLimit?: number | undefined
  /**
   * Most bytes, as estimated, of what is kept in memory of the scopes that were searched last, so that searching them again
   * reads little. Scopes above `exactVectorSearchLimit` are always searched in the database. 0 keeps nothing. Default 256 MiB.
   */
  readonly searchCacheBytes?: number | undefined
  /** Gets each statement with its parameters, which hold users' texts: for tests only. Default: none. */
  readonly statementLogger?: StatementLogger | undefined
}

/** A store, and what its owner can do to it. */
export interface PostgresStorage extends Storage {
  /**
   * Builds the HNSW index of an embedding space as the owner of the tables; nothing if it is there. Writers wait meanwhile.
   *
   * @throws InvalidInputError when the space has more dimensions than an index holds.
   */
  createVectorIndex(spaceId: number): Promise<void>
}

/**
 * Opens a store: `postgres://…`, `pglite:<folder>`, or `pglite:memory`.
 *
 * @example
 * await using storage = await openStorage('pglite:memory')
 *
 * @throws SchemaTooNewError when a newer release migrated it.
 * @throws ConfigurationError when it is not migrated, and not to be migrated now, or its folder cannot be made or written.
 * @throws StoreInUseError when another process uses the folder, or may use it.
 * @throws StorageUnavailableError when the server does not answer.
 */
export async function openStorage(
  url: string,
  options: OpenStorageOptions = {},
): Promise<PostgresStorage> {
  const location = parseStorageUrl(url)
  if (location.engine === 'postgres') return await openPostgres(location.url, options)
  return await openOver(await openPglite(location.folder, options), options)
}

/** Makes a store of an engine that acts as the owner too. */
export async function openOver(
  engine: Engine,
  options: OpenStorageOptions = {},
): Promise<PostgresStorage> {
  return await finish(engine, options, {
    migrate: options.migrate ?? true,
    asOwner: (work) => work(engine),
  })
}

/** Brings the schema of a store up to date, as the login of the URL. */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<MigrationResult> {
  const location = parseStorageUrl(url)
  const engine =
    location.engine === 'postgres'
      ? connect(location.url, options, 1)
      : await openPglite(location.folder, options)
  try {
    return await migrateEngine(engine, options)
  } finally {
    await engine.close()
  }
}

/** Which schema version a store has (0: none), and which one this release needs. Changes nothing. */
export async function readSchemaStatus(
  url: string,
  options: Pick<OpenStorageOptions, 'logger'> = {},
): Promise<StorageHealth> {
  const location = parseStorageUrl(url)
  const engine =
    location.engine === 'postgres'
      ? connect(location.url, options, 1)
      : await openPglite(location.folder, options)
  try {
    return {
      schemaVersion: await readSchemaVersion(engine),
      expectedSchemaVersion: await expectedSchemaVersion(),
    }
  } finally {
    await engine.close()
  }
}

async function openPostgres(url: string, options: OpenStorageOptions): Promise<PostgresStorage> {
  const engine = connect(url, options, options.maxConnections ?? 10)
  const asOwner: AsOwner = async (work) => {
    const owner = connect(options.migrationUrl ?? url, options, 1)
    try {
      return await work(owner)
    } finally {
      await owner.close()
    }
  }
  return await finish(engine, options, {
    migrate: options.migrate ?? false,
    asOwner,
    grantTo: otherLogin(url, options.migrationUrl),
  })
}

type AsOwner = <Result>(work: (engine: Engine) => Promise<Result>) => Promise<Result>

interface Finishing {
  readonly migrate: boolean
  readonly asOwner: AsOwner
  readonly grantTo?: string | undefined
}

const DEFAULT_SEARCH_CACHE_BYTES = 256 * 2 ** 20

async function finish(
  engine: Engine,
  {
    logger,
    exactVectorSearchLimit = 20_000,
    searchCacheBytes = DEFAULT_SEARCH_CACHE_BYTES,
  }: OpenStorageOptions,
  { migrate: isToMigrate, asOwner, grantTo }: Finishing,
): Promise<PostgresStorage> {
  try {
    if (isToMigrate) await asOwner((owner) => migrateEngine(owner, { logger, grantTo }))
    await checkSchemaVersion(engine)
  } catch (error) {
    await engine.close()
    throw error
  }
  const storage = createStorage({
    engine,
    exactVectorSearchLimit,
    searchCacheBytes,
    close: () => engine.close(),
  })
  return {
    ...storage,
    async createVectorIndex(spaceId) {
      try {
        await asOwner((owner) =>
          owner.transaction(
            (database) => buildVectorIndex(database, spaceId),
            createStatementGate(),
          ),
        )
      } catch (error) {
        throw toStorageError(error)
      }
    },
  }
}

function connect(url: string, options: OpenStorageOptions, maxConnections: number): Engine {
  const { logger = silentLogger, applicationName = 'loam', statementLogger } = options
  return createPostgresEngine(url, {
    maxConnections,
    applicationName,
    onNotice: options.onNotice ?? ((notice) => logger.debug('database-notice', notice)),
    statementLogger,
  })
}

async function openPglite(
  folder: string | undefined,
  { logger = silentLogger, statementLogger }: OpenStorageOptions,
): Promise<Engine> {
  if (folder === undefined) return await createPgliteEngine({ statementLogger })
  const lock = await lockOwnFolder(folder, () => logger.error('store-lock-lost', { folder }))
  try {
    const engine = await createPgliteEngine({
      dataDir: join(folder, 'postgres'),
      statementLogger,
      admit: async () => {
        if (await lock.isHeld()) return
        throw new StoreInUseError({
          message: `Another process took over the store in ${folder}, since this one had not been heard for long or its lock was removed. Start this one again.`,
          details: { folder },
        })
      },
    })
    return {
      ...engine,
      async close() {
        await engine.close()
        await lock.release()
      },
    }
  } catch (error) {
    await lock.release()
    throw new StorageFailedError({
      message: `The store in ${folder} cannot be opened. Check that the folder may be written and was made by this version of PGlite.`,
      details: { folder },
      cause: error,
    })
  }
}

async function lockOwnFolder(folder: string, onLost: () => void): Promise<FolderLock> {
  try {
    await makeOwnFolder(folder)
    return await lockFolder(folder, { onLost })
  } catch (error) {
    throw toFolderError(error, {
      folder,
      setting: 'LOAM_DATABASE_URL',
      cure: 'Name a folder that it may write to: pglite:<folder> in LOAM_DATABASE_URL, or LOAM_HOME, in which the store lies by default.',
    })
  }
}

/** The login of `url`, if it is not the one of `ownerUrl`. */
function otherLogin(url: string, ownerUrl: string | undefined): string | undefined {
  if (ownerUrl === undefined) return undefined
  const login = loginOf(url)
  return login === loginOf(ownerUrl) ? undefined : login
}

function loginOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  return decodeURIComponent(new URL(url).username) || undefined
}
