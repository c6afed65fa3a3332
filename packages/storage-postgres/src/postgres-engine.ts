import { setTimeout as delay } from 'node:timers/promises'
import { drizzle } from 'drizzle-orm/node-postgres'
import type { Logger as StatementLogger } from 'drizzle-orm/logger'
import { Pool, type PoolClient, type QueryConfig } from 'pg'
import type { Engine } from './database.js'
import { isStale } from './driver-errors.js'
import { createStatementNames } from './statement-names.js'

export interface PostgresEngineOptions {
  readonly maxConnections: number
  readonly applicationName: string
  readonly onNotice: (notice: { readonly severity: string; readonly message: string }) => void
  readonly statementLogger?: StatementLogger | undefined
}

/** Longest wait for a connection, a free place among them included. */
const CONNECT_TIMEOUT_MS = 15_000
const IDLE_TIMEOUT_MS = 60_000
const CLOSE_TIMEOUT_MS = 5_000

/** Runs transactions on a pool of connections to a Postgres server. */
export function createPostgresEngine(url: string, options: PostgresEngineOptions): Engine {
  const pool = new Pool({
    connectionString: url,
    max: options.maxConnections,
    application_name: options.applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    keepAlive: true,
    pipeline: true,
  })
  // A connection that breaks while nobody uses it is replaced when one is wanted.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('notice', ({ severity = '', message = '' }) =>
      options.onNotice({ severity, message }),
    )
  })
  const config = options.statementLogger ? { logger: options.statementLogger } : {}
  const prepare = createStatementNames()

  return {
    name: 'postgres',
    transaction: async (work, gate, entry) => {
      const client = await pool.connect()
      let broken: Error | undefined
      const onBreak = (error: Error): void => {
        broken = error
      }
      client.on('error', onBreak)
      try {
        // Both are sent before the first is answered: a journey less.
        await Promise.all([
          client.query('begin'),
          entry && client.query({ ...prepare(entry), values: [...entry.values] }),
        ])
        const gated = {
          query: (statement: QueryConfig, values: unknown[]) => {
            gate.check()
            return client.query(prepare(statement), values)
          },
        }
        const result = await work(drizzle({ client: gated as unknown as PoolClient, ...config }))
        const { command } = await client.query('commit')
        if (command !== 'COMMIT') {
          throw new TypeError('A statement failed whose error was held back, so all were undone.')
        }
        return result
      } catch (error) {
        await client.query('rollback').catch(onBreak)
        if (isStale(error)) broken ??= new Error('What it has prepared is stale.')
        throw error
      } finally {
        client.off('error', onBreak)
        // Not used again when it broke, since what it was told last may not have been heard.
        client.release(broken)
      }
    },
    close: async () => {
      const waiting = new AbortController()
      const { signal } = waiting
      await Promise.race([
        pool.end(),
        delay(CLOSE_TIMEOUT_MS, undefined, { signal }).catch(() => {}),
      ])
      waiting.abort()
    },
  }
}
