import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import type { Logger as StatementLogger } from 'drizzle-orm/logger'
import { Pool, type PoolClient, type QueryResult } from 'pg'
import { executeOne, type Database, type Engine, type Statement } from './database.js'
import { isStale } from './driver-errors.js'
import { createStatementNames } from './statement-names.js'
import { TurnSocket } from './turn-socket.js'
import { vectorArrayBuffer } from './vector-values.js'

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

const BEGIN = { text: 'begin' }
const BEGIN_READING = { text: 'begin read only' }
const COMMIT = { text: 'commit' }
const ROLLBACK = { text: 'rollback' }

const VECTOR_TYPE = sql`select 'vector'::regtype::oid::int8::float8 as oid`

/** Sends a statement, behind those that were sent before and without waiting for them. */
type Send = (statement: { readonly text: string }, values?: unknown[]) => Promise<QueryResult>

async function enter(send: Send, { text, values, onRow }: Statement): Promise<void> {
  const { rows } = await send({ text }, [...values])
  const [row] = rows as Readonly<Record<string, unknown>>[]
  if (row) onRow?.(row)
}

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
    stream: () => new TurnSocket(),
  })
  // A connection that breaks while nobody uses it is replaced when one is wanted.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('notice', ({ severity = '', message = '' }) =>
      options.onNotice({ severity, message }),
    )
  })
  const config = options.statementLogger ? { logger: options.statementLogger } : {}
  const nameOf = createStatementNames()
  let vectorTypeOid: number | undefined

  /** Lends a connection to work that sends statements on it. */
  async function withConnection<Result>(work: (send: Send) => Promise<Result>): Promise<Result> {
    const client = await pool.connect()
    let broken: Error | undefined
    const onBreak = (error: Error): void => {
      broken = error
    }
    client.on('error', onBreak)
    try {
      return await work((statement, values) => {
        const name = nameOf(statement.text)
        return client.query(name === undefined ? statement : { ...statement, name }, values)
      })
    } catch (error) {
      if (isStale(error)) broken ??= new Error('What it has prepared is stale.')
      throw error
    } finally {
      client.off('error', onBreak)
      // Not used again when it broke, since what it was told last may not have been heard.
      client.release(broken)
    }
  }

  const databaseOver = (query: Send): Database =>
    drizzle({ client: { query } as unknown as PoolClient, ...config })

  return {
    name: 'postgres',
    transaction: (work, gate, entry, { readOnly = false } = {}) =>
      withConnection(async (send) => {
        // The first statement of the work goes out with these, in one journey. Should one of them fail, then so does the
        // work: what came after it found neither role nor tenant, and row-level security shows that no row.
        const entered = Promise.all([
          send(readOnly ? BEGIN_READING : BEGIN),
          entry && enter(send, entry),
        ])
        entered.catch(() => {})
        try {
          const gated: Send = (...statement) => {
            gate.check()
            return send(...statement)
          }
          const result = await work(databaseOver(gated))
          await entered
          if (readOnly) {
            send(COMMIT).catch(() => {})
            return result
          }
          const { command } = await send(COMMIT)
          if (command !== 'COMMIT') {
            throw new TypeError('A statement failed whose error was held back, so all were undone.')
          }
          return result
        } catch (error) {
          await send(ROLLBACK).catch(() => {})
          await entered
          throw error
        }
      }),
    async vectorArray(database, vectors) {
      vectorTypeOid ??= (await executeOne<{ oid: number }>(database, VECTOR_TYPE)).oid
      return sql`${vectorArrayBuffer(vectors, vectorTypeOid)}::vector[]`
    },
    single: (entry) =>
      databaseOver((statement, values) =>
        withConnection(async (send) => {
          const sent = [
            send(BEGIN),
            enter(send, entry),
            send(statement, values),
            send(COMMIT),
          ] as const
          // All have ended before another uses the connection; the first that failed is why the others did.
          for (const outcome of await Promise.allSettled(sent)) {
            if (outcome.status === 'rejected') throw outcome.reason
          }
          return await sent[2]
        }),
      ),
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
