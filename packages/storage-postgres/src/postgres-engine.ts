import { drizzle } from 'drizzle-orm/postgres-js'
import type { Logger as StatementLogger } from 'drizzle-orm/logger'
import postgres from 'postgres'
import type { Engine } from './database.js'

export interface PostgresEngineOptions {
  readonly maxConnections: number
  readonly applicationName: string
  readonly onNotice: (notice: { readonly severity: string; readonly message: string }) => void
  readonly statementLogger?: StatementLogger | undefined
}

/** Runs transactions on a pool of connections to a Postgres server. */
export function createPostgresEngine(url: string, options: PostgresEngineOptions): Engine {
  const pool = postgres(url, {
    max: options.maxConnections,
    connect_timeout: 10,
    connection: { application_name: options.applicationName, TimeZone: 'UTC' },
    onnotice: (notice) =>
      options.onNotice({ severity: notice['severity'] ?? '', message: notice['message'] ?? '' }),
  })
  const config = options.statementLogger ? { logger: options.statementLogger } : {}
  return {
    name: 'postgres',
    transaction: async (work, gate) => {
      const result = await pool.begin(async (connection) => {
        const gated = {
          options: pool.options,
          unsafe: (...statement: Parameters<typeof connection.unsafe>) => {
            gate.check()
            return connection.unsafe(...statement)
          },
        }
        const database = drizzle({ client: gated as unknown as typeof pool, ...config })
        // Wrapped, because the driver awaits the members of an array that the work returns.
        return { value: await work(database) }
      })
      return result.value
    },
    close: () => pool.end({ timeout: 5 }),
  }
}
