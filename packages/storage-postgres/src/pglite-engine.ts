import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { drizzle } from 'drizzle-orm/pglite'
import type { Logger as StatementLogger } from 'drizzle-orm/logger'
import { sql } from 'drizzle-orm'
import type { Engine, Statement } from './database.js'
import { textArray } from './sql-values.js'
import { vectorText } from './vector-values.js'

export interface PgliteEngineOptions {
  /** Where the data lies; undefined for memory. */
  readonly dataDir?: string | undefined
  /** A data folder as `dumpDataDir` wrote it, to start from. */
  readonly snapshot?: Blob | undefined
  readonly statementLogger?: StatementLogger | undefined
  /** Asked before each transaction; rejects when the data is no longer this process's. */
  readonly admit?: (() => Promise<void>) | undefined
}

/** The engine, and what only PGlite can do. */
export interface PgliteEngine extends Engine {
  /** Writes the whole data folder into one archive. */
  dump(): Promise<Blob>
}

/** Runs transactions on Postgres in WebAssembly. It has one connection, so they take turns. */
export async function createPgliteEngine(options: PgliteEngineOptions): Promise<PgliteEngine> {
  const client = await PGlite.create({
    extensions: { vector },
    ...(options.dataDir !== undefined && { dataDir: options.dataDir }),
    ...(options.snapshot && { loadDataDir: options.snapshot }),
  })
  const config = options.statementLogger ? { logger: options.statementLogger } : {}
  type Query = PGlite['query']
  const databaseOver = (query: Query) =>
    drizzle({ client: { query } as unknown as PGlite, ...config })

  async function transaction<Result>(
    work: (query: Query) => Promise<Result>,
    entry: Statement | undefined,
    readOnly = false,
  ): Promise<Result> {
    await options.admit?.()
    return await client.transaction(async (connection) => {
      if (readOnly) await connection.exec('set transaction read only')
      if (entry) {
        const { rows } = await connection.query<Record<string, unknown>>(entry.text, [
          ...entry.values,
        ])
        if (rows[0]) entry.onRow?.(rows[0])
      }
      return await work((...statement) => connection.query(...statement))
    })
  }

  return {
    name: 'pglite',
    transaction: (work, gate, entry, { readOnly } = {}) =>
      transaction(
        (query) =>
          work(
            databaseOver((...statement) => {
              gate.check()
              return query(...statement)
            }),
          ),
        entry,
        readOnly,
      ),
    vectorArray: async (_database, vectors) => sql`${textArray(vectors.map(vectorText))}::vector[]`,
    single: (entry) =>
      databaseOver((...statement) => transaction((query) => query(...statement), entry)),
    close: () => client.close(),
    dump: () => client.dumpDataDir('none'),
  }
}
