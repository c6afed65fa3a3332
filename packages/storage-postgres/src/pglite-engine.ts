import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { drizzle } from 'drizzle-orm/pglite'
import type { Logger as StatementLogger } from 'drizzle-orm/logger'
import type { Engine } from './database.js'

export interface PgliteEngineOptions {
  /** Where the data lies; undefined for memory. */
  readonly dataDir?: string | undefined
  /** A data folder as `dumpDataDir` wrote it, to start from. */
  readonly snapshot?: Blob | undefined
  readonly statementLogger?: StatementLogger | undefined
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
  return {
    name: 'pglite',
    transaction: (work, gate, entry) =>
      client.transaction(async (connection) => {
        if (entry) await connection.query(entry.text, [...entry.values])
        const gated = {
          query: (...statement: Parameters<typeof connection.query>) => {
            gate.check()
            return connection.query(...statement)
          },
        }
        const database = drizzle({ client: gated as unknown as typeof client, ...config })
        return await work(database)
      }),
    close: () => client.close(),
    dump: () => client.dumpDataDir('none'),
  }
}
