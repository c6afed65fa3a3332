import { z } from '@hono/zod-openapi'
import {
  InvalidInputError,
  LimitError,
  LoamError,
  ModelError,
  StillAnsweringError,
  StorageUnavailableError,
  toldToCallers,
} from '@loam/core'
import { HTTPException } from 'hono/http-exception'

/** The shape of every error answer (RFC 9457). `code` is stable; `detail` is for people. */
export const problemSchema = z
  .strictObject({
    type: z.string().openapi({ example: 'urn:loam:problem:invalid_input' }),
    title: z.string(),
    status: z.int(),
    code: z.string().openapi({ example: 'invalid_input' }),
    detail: z.string(),
    issues: z
      .array(z.strictObject({ path: z.string(), message: z.string() }))
      .optional()
      .openapi({ description: 'What is wrong with the input, and where.' }),
    requestId: z.string(),
  })
  .openapi('Problem')

/** See `problemSchema`. */
export type Problem = z.infer<typeof problemSchema>

/** The error answers of a route, for its description. */
export const problemResponses = {
  default: {
    description: 'What went wrong.',
    content: { 'application/problem+json': { schema: problemSchema } },
  },
}

/** What each code is called and which status it has (style: one table, one place). */
const PROBLEMS: Readonly<Record<string, { readonly status: number; readonly title: string }>> = {
  invalid_input: { status: 400, title: 'The input is invalid' },
  unauthenticated: { status: 401, title: 'No valid key' },
  forbidden: { status: 403, title: 'Not allowed' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'The method is not allowed here' },
  conflict: { status: 409, title: 'Conflict with what is stored' },
  still_answering: { status: 409, title: 'The request is still being answered' },
  precondition_failed: { status: 412, title: 'Something else is stored' },
  payload_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The media type is not supported' },
  expectation_failed: { status: 417, title: 'The expectation cannot be met' },
  limit_exceeded: { status: 429, title: 'A limit is exceeded' },
  request_cancelled: { status: 499, title: 'The client has gone' },
  model_failed: { status: 502, title: 'A model failed' },
  model_output_invalid: { status: 502, title: 'A model answered with something unusable' },
  invalid_configuration: { status: 503, title: 'The server lacks a setting' },
  storage_unavailable: { status: 503, title: 'The database does not answer' },
}

const INTERNAL = { status: 500, title: 'Something went wrong in the server' }

const STORAGE_RETRY_SECONDS = 5

/** What an error tells its caller: a problem, and the headers that belong to it. */
export interface ProblemAnswer {
  readonly problem: Problem
  readonly headers: Readonly<Record<string, string>>
}

/** Maps any error to its answer. What is not meant for callers, they are not told. */
export function toProblemAnswer(error: unknown, requestId: string): ProblemAnswer {
  const code = codeOf(error)
  const known = PROBLEMS[code]
  const { status, title } = known ?? INTERNAL
  const issues = InvalidInputError.isInstance(error) ? error.issues : undefined
  return {
    problem: {
      type: `urn:loam:problem:${code}`,
      title,
      status,
      code,
      detail: detailOf(error, known !== undefined, requestId),
      ...(issues !== undefined && {
        issues: issues.map(({ path, message }) => ({ path, message })),
      }),
      requestId,
    },
    headers: headersOf(error, status),
  }
}

function codeOf(error: unknown): string {
  if (LoamError.isInstance(error)) return error.code
  if (error instanceof HTTPException) {
    const match = Object.entries(PROBLEMS).find(([, { status }]) => status === error.status)
    return match?.[0] ?? 'internal_error'
  }
  if (error instanceof Error && (error.name === 'AbortError' || isCutOff(error))) {
    return 'request_cancelled'
  }
  return 'internal_error'
}

/** Whether it is what Node says of a client that went away while it sent its body. */
function isCutOff(error: Error): boolean {
  return error.message === 'aborted' && 'code' in error && error.code === 'ECONNRESET'
}

function detailOf(error: unknown, isKnown: boolean, requestId: string): string {
  if (!isKnown || !(error instanceof Error)) {
    return `The server failed to handle the request. Its log says why, under the request id ${requestId}.`
  }
  if (StorageUnavailableError.isInstance(error)) {
    return 'The database does not answer at present. Try again in a few seconds.'
  }
  if (ModelError.isInstance(error)) {
    return `${toldToCallers(error)} The server's log says more, under the request id ${requestId}.`
  }
  return error.message === '' ? 'The request cannot be handled.' : error.message
}

function headersOf(error: unknown, status: number): Record<string, string> {
  if (status === 401) return { 'WWW-Authenticate': 'Bearer' }
  if (LoamError.isInstance(error) && (status >= 500 || status === 409) && !error.retryable) {
    // Heeded by clients of OpenAI's, which try again otherwise.
    return { 'X-Should-Retry': 'false' }
  }
  if (status === 503) return { 'Retry-After': String(STORAGE_RETRY_SECONDS) }
  const asksToWait =
    LimitError.isInstance(error) ||
    ModelError.isInstance(error) ||
    StillAnsweringError.isInstance(error)
  if (!asksToWait || error.retryAfterMs === undefined) return {}
  return { 'Retry-After': String(Math.ceil(error.retryAfterMs / 1000)) }
}
