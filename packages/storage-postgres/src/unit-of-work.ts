import { InvalidInputError, userIdFault } from '@loam/core'
import type { Access, TransactionOptions } from '@loam/storage'
import {
  createStatementGate,
  type Database,
  type Engine,
  type Statement,
  type StatementGate,
} from './database.js'
import { isRetryable, toStorageError } from './driver-errors.js'
import { isUuid } from './sql-values.js'

/** How often a transaction is run that the database gives up because of another. */
const MOST_ATTEMPTS = 3

/** How long a process that stands still may keep others waiting for what its transaction holds. */
const MAX_IDLE_MS = 60_000

/**
 * The statement that begins every unit of work: from here on, row-level security knows whose it is.
 *
 * All lookups are for few rows by an index. The planner is kept to such plans, since it cannot know how few are meant by a
 * list that arrives as a parameter, and would now and then read all rows of a tenant instead. Nothing is compiled, which
 * takes longer than all that it could save.
 *
 * @param onErasure is told the tenant's newest erasure.
 */
export function enterAs(
  access: Access | 'system',
  onErasure: (number: number) => void = () => {},
): Statement {
  // What the system asks is always planned alike, and planning it anew would cost more than doing it.
  if (access === 'system')
    return { text: ENTRY, values: ['loam_system', '', '', '', 'force_generic_plan'] }
  const { tenantId, userId = '', everyUser = false } = access
  const values = ['loam_app', tenantId, userId, everyUser ? 'on' : '', 'auto']
  const onRow = (row: Readonly<Record<string, unknown>>): void =>
    onErasure(Number(row['last_erasure'] ?? 0))
  const unlessErased = everyUser ? undefined : access.unlessErased
  if (unlessErased === undefined) return { text: ENTRY_OF_TENANT, values, onRow }
  const { agentId, since } = unlessErased
  return { text: ENTRY_UNLESS_ERASED, values: [...values, agentId, String(since)], onRow }
}

const ENTRY = `select set_config('role', $1, true), set_config('loam.tenant', $2, true),
  set_config('loam.user', $3, true), set_config('loam.every_user', $4, true),
  set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true), set_config('jit', 'off', true),
  set_config('plan_cache_mode', $5, true), set_config('TimeZone', 'UTC', true), set_config('idle_in_transaction_session_timeout', '${MAX_IDLE_MS}', true)`
// These are evaluated in order, so the functions run as the role and for the tenant that were set before them.
const ENTRY_OF_TENANT = `${ENTRY}, loam.last_erasure()`
const ENTRY_UNLESS_ERASED = `${ENTRY_OF_TENANT}, loam.refuse_erased($6::uuid, $3, $7::bigint)`

/** @throws InvalidInputError when the access names no possible tenant or user. */
export function checkAccess({ tenantId, userId, everyUser, unlessErased }: Access): void {
  if (!isUuid(tenantId)) {
    throw new InvalidInputError({
      message: `The tenant id ${JSON.stringify(tenantId)} is not a UUID.`,
    })
  }
  if (everyUser) return
  const fault = userIdFault(userId)
  if (fault === undefined && unlessErased !== undefined && !isUuid(unlessErased.agentId)) {
    throw new InvalidInputError({
      message: `The agent id ${JSON.stringify(unlessErased.agentId)} is not a UUID.`,
    })
  }
  if (fault === undefined) return
  throw new InvalidInputError({
    message: `userId: ${fault}.`,
    issues: [{ path: 'userId', message: fault }],
  })
}

/** Runs work in one transaction, and again while the database gives it up because of another transaction. */
export async function runUnitOfWork<Result>(
  engine: Engine,
  entry: Statement,
  work: (database: Database, gate: StatementGate) => Promise<Result>,
  options: TransactionOptions = {},
): Promise<Result> {
  return await withRetries(() => runOnce(engine, entry, work, options))
}

/** Does again what the database gave up because of another transaction. Rejects with the errors of the storage. */
export async function withRetries<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (attempt === MOST_ATTEMPTS || !isRetryable(error)) throw toStorageError(error)
    }
  }
}

async function runOnce<Result>(
  engine: Engine,
  entry: Statement,
  work: (database: Database, gate: StatementGate) => Promise<Result>,
  { signal, readOnly }: TransactionOptions,
): Promise<Result> {
  signal?.throwIfAborted()
  const gate = createStatementGate()
  const aborted = createAbortion(signal, (reason) => gate.shut(() => reason))
  const running = engine.transaction(
    async (database) => {
      // On cancellation the transaction is undone at once; what the work still does then fails at its next statement.
      const result = await Promise.race([work(database, gate), aborted.promise])
      gate.shut(ended)
      return result
    },
    gate,
    entry,
    { readOnly },
  )
  try {
    return await Promise.race([running, aborted.promise])
  } finally {
    gate.shut(ended)
    aborted.stop()
    // After a cancellation nobody else waits for it.
    running.catch(() => {})
  }
}

function ended(): TypeError {
  return new TypeError('The unit of work has ended; its stores can no longer be used.')
}

/** A promise that rejects when the signal fires, and never otherwise. */
function createAbortion(signal: AbortSignal | undefined, onAbort: (reason: unknown) => void) {
  let abort!: () => void
  const promise = new Promise<never>((_resolve, reject) => {
    abort = () => {
      onAbort(signal?.reason)
      reject(signal?.reason)
    }
  })
  promise.catch(() => {})
  signal?.addEventListener('abort', abort, { once: true })
  return { promise, stop: () => signal?.removeEventListener('abort', abort) }
}
