import {
  ConfigurationError,
  ConflictError,
  ForbiddenError,
  InvalidInputError,
  NotFoundError,
  StorageFailedError,
  StorageUnavailableError,
} from '@loam/core'
import { DrizzleQueryError } from 'drizzle-orm/errors'
import { StatementRefused } from './database.js'

/** What both drivers say of an error of the server. */
interface ServerError extends Error {
  /** SQLSTATE, five characters (PostgreSQL manual, appendix A). */
  readonly code: string
  readonly routine?: string
  readonly table_name?: string
  readonly constraint_name?: string
  readonly table?: string
  readonly constraint?: string
}

/** The error of the driver inside the one that drizzle makes, whose message repeats the statement's parameters. */
export function driverErrorOf(error: unknown): unknown {
  return error instanceof DrizzleQueryError && error.cause !== undefined ? error.cause : error
}

/** The SQLSTATE of an error of the server; undefined for any other error. */
export function sqlStateOf(error: unknown): string | undefined {
  const driverError = driverErrorOf(error)
  return isServerError(driverError) ? driverError.code : undefined
}

/** Whether the same transaction may succeed when it is run again: it was given up because of another, or `isStale`. */
export function isRetryable(error: unknown): boolean {
  const state = sqlStateOf(error)
  return state === SERIALIZATION_FAILURE || state === DEADLOCK_DETECTED || isStale(error)
}

/** Whether what the connection has prepared no longer fits the server, so that another connection may do. */
export function isStale(error: unknown): boolean {
  const state = sqlStateOf(error)
  return state === PLAN_OUTDATED || state === NOT_PREPARED
}

/** The error that a caller of the storage sees. What the driver did not throw passes as it is. */
export function toStorageError(error: unknown): unknown {
  const driverError = driverErrorOf(error)
  if (driverError instanceof StatementRefused) return driverError.reason
  if (isServerError(driverError)) return fromServer(driverError)
  const connectionFault = connectionFaultOf(driverError)
  if (connectionFault !== undefined) {
    return new StorageUnavailableError({
      message: `The database cannot be reached (${connectionFault}). Check that it runs and that the URL names it.`,
      details: { code: connectionFault },
      cause: driverError,
    })
  }
  if (error instanceof DrizzleQueryError) {
    return new StorageFailedError({
      message: 'The database driver failed.',
      cause: withoutText(driverError),
    })
  }
  return error
}

/** The store, with `toStorageError` on all that it throws, save what `isRetryable`: that is for the unit of work. */
export function withStorageErrors<Store extends object>(store: Store): Store {
  return wrapStore(store, async (call) => {
    try {
      return await call()
    } catch (error) {
      throw isRetryable(error) ? error : toStorageError(error)
    }
  })
}

/** The store, with something done around each call. */
export function wrapStore<Store extends object>(
  store: Store,
  around: (call: () => Promise<unknown>) => Promise<unknown>,
): Store {
  const methods = Object.entries(store) as [string, (...input: never[]) => Promise<unknown>][]
  const wrapped = methods.map(([name, method]) => [
    name,
    (...input: never[]) => around(() => method(...input)),
  ])
  return Object.fromEntries(wrapped) as Store
}

/** What the server says to a login that it does not let in, by SQLSTATE. */
const REFUSALS: Readonly<Record<string, string>> = {
  '28P01': 'The database refuses the login. Check user and password in the URL.',
  '28000': 'The database refuses the login. Check the user in the URL, and that it may log in.',
  '3D000': 'The server has no database of that name. Make it (createdb), or check the URL.',
}
const SERIALIZATION_FAILURE = '40001'
const DEADLOCK_DETECTED = '40P01'
// "Cached plan must not change result type": a table was changed meanwhile.
const PLAN_OUTDATED = '0A000'
// A pooler in between gave the connection another session.
const NOT_PREPARED = '26000'
// Raised by loam.refuse_erased.
const ERASED = 'LM001'
const UNIQUE_VIOLATION = '23505'
const FOREIGN_KEY_VIOLATION = '23503'
const INSUFFICIENT_PRIVILEGE = '42501'
const PROGRAM_LIMIT_EXCEEDED = '54000'

// Connection exceptions, shutdowns, too little of something, and a server that turned read-only: all pass with time.
const UNAVAILABLE = /^(?:08|53|57P0|25006)/

function fromServer(error: ServerError): Error {
  const details = {
    sqlState: error.code,
    ...(tableOf(error) !== undefined && { table: tableOf(error) }),
    ...(constraintOf(error) !== undefined && { constraint: constraintOf(error) }),
  }
  const cause = withoutText(error)
  if (UNAVAILABLE.test(error.code)) {
    const message = `The database does not serve at present (SQLSTATE ${error.code}). Try again.`
    return new StorageUnavailableError({ message, details, cause })
  }
  const refusal = REFUSALS[error.code]
  if (refusal !== undefined) {
    const issues = [{ path: 'LOAM_DATABASE_URL', message: refusal }]
    return new ConfigurationError({ message: refusal, issues, details, cause })
  }
  if (error.code.startsWith('22') || error.code === PROGRAM_LIMIT_EXCEEDED) {
    const message = `The database cannot store a value (SQLSTATE ${error.code}): a text has a NUL or is too long for a key, or a number is out of range.`
    return new InvalidInputError({ message, details, cause })
  }
  if (error.code === ERASED) {
    const message =
      'What was held about the user was erased after this work began, so nothing of it is stored. Begin it anew.'
    return new ConflictError({ message, details: { ...details, erased: true }, cause })
  }
  if (error.code === UNIQUE_VIOLATION) {
    const message = 'There is a record with this id or key already.'
    return new ConflictError({ message, details, cause })
  }
  if (error.code === FOREIGN_KEY_VIOLATION) {
    const message = `The ${ownerOf(error)} that this belongs to does not exist: it was deleted meanwhile, or never made.`
    return new NotFoundError({ message, details, cause })
  }
  if (error.code === INSUFFICIENT_PRIVILEGE && error.routine === 'ExecWithCheckOptions') {
    const message =
      'The record belongs to a tenant or a user that this unit of work has no access to.'
    return new ForbiddenError({ message, details, cause })
  }
  const message = `The database refused a statement (SQLSTATE ${error.code}).`
  return new StorageFailedError({ message, details, cause })
}

function tableOf(error: ServerError): string | undefined {
  return error.table_name ?? error.table
}

function constraintOf(error: ServerError): string | undefined {
  return error.constraint_name ?? error.constraint
}

/** What a record belongs to, by the name that Postgres gives the constraint: table, columns, `fkey`. */
function ownerOf(error: ServerError): string {
  return /_(agent|session|tenant|skill)_id_fkey$/.exec(constraintOf(error) ?? '')?.[1] ?? 'record'
}

/** The error without what may hold a user's text: parameters, details, and the message of an error about a value. */
function withoutText(error: unknown): Error {
  if (!(error instanceof Error)) return new Error('unknown')
  const state = isServerError(error) ? error.code : undefined
  const message = state === undefined || state.startsWith('22') ? error.name : error.message
  const clean = new Error(message)
  clean.name = error.name
  const stack = error.stack?.split('\n').filter((line) => line.startsWith('    at '))
  clean.stack = [`${error.name}: ${message}`, ...(stack ?? [])].join('\n')
  return Object.assign(clean, state === undefined ? {} : { code: state })
}

function isServerError(error: unknown): error is ServerError {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    'severity' in error &&
    /^[0-9A-Z]{5}$/.test(error.code)
  )
}

// What Node says of a socket or a name.
const CONNECTION_CODES =
  /^(?:ECONN\w+|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|ENOENT)$/

// What the driver says of a connection, without a code.
const CONNECTION_FAULTS: readonly (readonly [RegExp, string])[] = [
  [/^timeout exceeded when trying to connect|due to connection timeout/, 'CONNECT_TIMEOUT'],
  [
    /^Connection terminated|^Client has encountered a connection error|^Client was closed|^Cannot use a pool after/,
    'CONNECTION_CLOSED',
  ],
]

/** What is wrong with the connection, as a code; undefined for an error of another kind. */
function connectionFaultOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error ? String(error.code) : ''
  if (CONNECTION_CODES.test(code)) return code
  return CONNECTION_FAULTS.find(([pattern]) => pattern.test(error.message))?.[1]
}
