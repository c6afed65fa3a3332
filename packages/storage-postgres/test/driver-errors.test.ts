import {
  ConflictError,
  ForbiddenError,
  InvalidInputError,
  NotFoundError,
  StorageFailedError,
  StorageUnavailableError,
} from '@loam/core'
import { DrizzleQueryError } from 'drizzle-orm/errors'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { isRetryable, sqlStateOf, toStorageError, withStorageErrors } from '../src/driver-errors.js'

const SECRET = 'the user said hunter2'

/** An error of the server as both drivers throw it, inside the one that drizzle makes of it. */
function serverError(code: string, more: object = {}): DrizzleQueryError {
  const cause = Object.assign(new Error(`about ${code}`), {
    code,
    severity: 'ERROR',
    detail: SECRET,
    ...more,
  })
  return new DrizzleQueryError('insert into t values ($1)', [SECRET], cause)
}

describe('toStorageError', () => {
  it.each([
    ['08006', StorageUnavailableError],
    ['57P01', StorageUnavailableError],
    ['57P03', StorageUnavailableError],
    ['53300', StorageUnavailableError],
    ['53100', StorageUnavailableError],
    ['25006', StorageUnavailableError],
    ['22P05', InvalidInputError],
    ['22021', InvalidInputError],
    ['22003', InvalidInputError],
    ['54000', InvalidInputError],
    ['23505', ConflictError],
    ['23503', NotFoundError],
    ['23514', StorageFailedError],
    ['42P01', StorageFailedError],
    ['42501', StorageFailedError],
    ['57014', StorageFailedError],
    ['XX000', StorageFailedError],
  ])('makes of SQLSTATE %s a %o', (code, expected) => {
    const error = toStorageError(serverError(code, { table_name: 'messages' }))
    expect(error).toBeInstanceOf(expected)
    expect(error).toMatchObject({ details: { sqlState: code, table: 'messages' } })
  })

  it.each(['28P01', '28000', '3D000'])(
    'says of SQLSTATE %s, which comes of a wrong URL, what to check',
    (code) => {
      const error = toStorageError(
        Object.assign(new Error('no'), { code, severity: 'FATAL', routine: 'auth' }),
      )
      expect(error).toMatchObject({
        code: 'invalid_configuration',
        issues: [{ path: 'LOAM_DATABASE_URL', message: expect.stringMatching(/Check|check/) }],
      })
    },
  )

  it.each([
    ['sessions_tenant_id_agent_id_fkey', 'The agent that'],
    ['messages_tenant_id_session_id_fkey', 'The session that'],
    ['some_other_name', 'The record that'],
  ])('names what a record lacks by the constraint %s', (constraint, beginning) => {
    const error = toStorageError(serverError('23503', { constraint_name: constraint }))
    expect(error).toMatchObject({ message: expect.stringContaining(beginning) })
  })

  it('makes of a refusal by row-level security a ForbiddenError', () => {
    const error = toStorageError(serverError('42501', { routine: 'ExecWithCheckOptions' }))
    expect(error).toBeInstanceOf(ForbiddenError)
  })

  it.each(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EPIPE'])(
    'makes of %s a StorageUnavailableError, which is retryable',
    (code) => {
      const error = toStorageError(Object.assign(new Error('no connection'), { code }))
      expect(error).toBeInstanceOf(StorageUnavailableError)
      expect(error).toMatchObject({ retryable: true, details: { code } })
    },
  )

  it.each([
    ['Connection terminated unexpectedly', 'CONNECTION_CLOSED'],
    ['Client has encountered a connection error and is not queryable', 'CONNECTION_CLOSED'],
    ['timeout exceeded when trying to connect', 'CONNECT_TIMEOUT'],
    ['Connection terminated due to connection timeout', 'CONNECT_TIMEOUT'],
  ])('makes of "%s" a StorageUnavailableError', (message, code) => {
    const error = toStorageError(new DrizzleQueryError('select 1', [], new Error(message)))
    expect(error).toBeInstanceOf(StorageUnavailableError)
    expect(error).toMatchObject({ retryable: true, details: { code } })
  })

  it('repeats no parameter and no detail, whoever prints the error', () => {
    for (const code of ['23505', '22P02', '53300', 'XX000']) {
      const error = serverError(code, { message: `invalid input: ${code}` })
      if (code === '22P02') (error.cause as Error).message = `invalid input: "${SECRET}"`
      expect(inspect(toStorageError(error), { depth: 9 })).not.toContain('hunter2')
    }
    const broken = new DrizzleQueryError('select $1', [SECRET], new Error('driver broke'))
    expect(inspect(toStorageError(broken), { depth: 9 })).not.toContain('hunter2')
  })

  it('leaves what no driver threw as it is', () => {
    const own = new ConflictError({ message: 'mine' })
    expect(toStorageError(own)).toBe(own)
    const bug = new TypeError('x is not a function')
    expect(toStorageError(bug)).toBe(bug)
    expect(toStorageError('text')).toBe('text')
  })
})

describe('isRetryable', () => {
  it.each([
    ['40001', true],
    ['40P01', true],
    ['40002', false],
    ['23505', false],
  ])('of SQLSTATE %s is %s', (code, expected) => {
    expect(isRetryable(serverError(code))).toBe(expected)
    expect(sqlStateOf(serverError(code))).toBe(code)
  })
})

describe('withStorageErrors', () => {
  it('translates what a store throws, but leaves what the unit of work is to run again for', async () => {
    const deadlock = serverError('40P01')
    const things = withStorageErrors({
      add: (): Promise<void> => Promise.reject(serverError('23505')),
      lock: (): Promise<void> => Promise.reject(deadlock),
      find: async (id: string) => `thing ${id}`,
    })
    await expect(things.add()).rejects.toBeInstanceOf(ConflictError)
    await expect(things.lock()).rejects.toBe(deadlock)
    expect(await things.find('1')).toBe('thing 1')
  })
})
