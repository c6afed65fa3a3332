import {
  ConflictError,
  PreconditionFailedError,
  ForbiddenError,
  InvalidInputError,
  LimitError,
  ModelError,
  ModelOutputError,
  NotFoundError,
  SchemaTooNewError,
  StorageFailedError,
  StorageUnavailableError,
  StillAnsweringError,
  StoreInUseError,
  UnauthenticatedError,
  VectorDimensionError,
} from '@loam/core'
import { HTTPException } from 'hono/http-exception'
import { describe, expect, it } from 'vitest'
import { problemSchema, toProblemAnswer } from '../src/problem.js'

const message = 'A sentence about it.'

describe('toProblemAnswer', () => {
  it.each([
    [new InvalidInputError({ message }), 400, 'invalid_input'],
    [new UnauthenticatedError({ message }), 401, 'unauthenticated'],
    [new ForbiddenError({ message }), 403, 'forbidden'],
    [new NotFoundError({ message }), 404, 'not_found'],
    [new HTTPException(405, { message }), 405, 'method_not_allowed'],
    [new ConflictError({ message }), 409, 'conflict'],
    [new StillAnsweringError({ message, retryAfterMs: 1 }), 409, 'still_answering'],
    [new PreconditionFailedError({ message }), 412, 'precondition_failed'],
    [new HTTPException(413, { message }), 413, 'payload_too_large'],
    [new HTTPException(415, { message }), 415, 'unsupported_media_type'],
    [new LimitError({ message }), 429, 'limit_exceeded'],
    [new DOMException(message, 'AbortError'), 499, 'request_cancelled'],
    [new ModelOutputError({ message }), 502, 'model_output_invalid'],
  ])('tells the caller about %s', (error, status, code) => {
    const { problem } = toProblemAnswer(error, 'request-1')
    expect(problemSchema.parse(problem)).toMatchObject({
      type: `urn:loam:problem:${code}`,
      status,
      code,
      detail: message,
      requestId: 'request-1',
    })
  })

  it.each([
    [
      new StorageUnavailableError({ message: 'postgres://loam:secret@db' }),
      503,
      'storage_unavailable',
    ],
    [new StorageFailedError({ message: 'insert failed: secret' }), 500, 'storage_failed'],
    [new StoreInUseError({ message: 'secret' }), 500, 'store_in_use'],
    [new SchemaTooNewError({ message: 'secret' }), 500, 'schema_too_new'],
    [new HTTPException(418, { message: 'secret' }), 500, 'internal_error'],
    [new TypeError('secret is not a function'), 500, 'internal_error'],
    ['secret', 500, 'internal_error'],
  ])('keeps to itself what %s says', (error, status, code) => {
    const answer = toProblemAnswer(error, 'request-1')
    expect(answer.problem).toMatchObject({ status, code })
    expect(JSON.stringify(answer)).not.toContain('secret')
  })

  it('says of a failed model how it failed, and neither where it is nor what its provider wrote', () => {
    const error = new ModelError({
      message: 'Model "m" at http://10.0.0.7:8000/v1 answered with status 400: \u001b[31msecret',
      retryable: false,
      reason: 'refused',
      details: { model: 'm', status: 400, providerMessage: 'secret' },
    })
    const { problem } = toProblemAnswer(error, 'request-1')
    expect(problem).toMatchObject({ status: 502, code: 'model_failed' })
    expect(problem.detail).toBe(
      'The model "m" does not take this request, and would not take it again. The server\'s log says more, under the request id request-1.',
    )
  })

  it('keeps the numbers of a vector mismatch out of the answer', () => {
    const error = new VectorDimensionError({ expected: 100, actual: 3 })
    expect(toProblemAnswer(error, 'request-1').problem.status).toBe(500)
  })

  it('lists the issues of an invalid input', () => {
    const issues = [{ path: 'key', message: 'Is required' }]
    const { problem } = toProblemAnswer(new InvalidInputError({ message, issues }), 'request-1')
    expect(problem.issues).toStrictEqual(issues)
  })

  it('asks to try a conflict again only when that is of use', () => {
    const still = new StillAnsweringError({ message, retryAfterMs: 1_000 })
    expect(toProblemAnswer(still, 'r').headers).toStrictEqual({ 'Retry-After': '1' })
    const conflict = new ConflictError({ message })
    expect(toProblemAnswer(conflict, 'r').headers).toStrictEqual({ 'X-Should-Retry': 'false' })
  })

  it('says how long to wait', () => {
    const limit = new LimitError({ message, retryAfterMs: 1200 })
    expect(toProblemAnswer(limit, 'r').headers).toStrictEqual({ 'Retry-After': '2' })
    expect(toProblemAnswer(new LimitError({ message }), 'r').headers).toStrictEqual({})
    const model = new ModelError({ message, retryable: true, retryAfterMs: 3000 })
    expect(toProblemAnswer(model, 'r').headers).toStrictEqual({ 'Retry-After': '3' })
    const unavailable = new StorageUnavailableError({ message })
    expect(toProblemAnswer(unavailable, 'r').headers).toStrictEqual({ 'Retry-After': '5' })
  })

  it('asks for a key', () => {
    const { headers } = toProblemAnswer(new UnauthenticatedError({ message }), 'r')
    expect(headers).toStrictEqual({ 'WWW-Authenticate': 'Bearer' })
  })
})
