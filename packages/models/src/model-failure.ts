import { ModelError, type ModelErrorReason } from '@loam/core'
import { APIConnectionError, APIError, APIUserAbortError } from 'openai'
import { askedDelay } from './asked-delay.js'

const MAX_QUOTED_CHARACTERS = 300

/** Where a call went, and what its errors may not show. */
export interface CallTarget {
  readonly model: string
  readonly baseUrl: string
  readonly apiKey: string | undefined
}

/**
 * Turns what the `openai` package throws into a `ModelError` that says why, and whether to try again. The key is cut out
 * of whatever the endpoint wrote. Errors of another origin are returned as they are.
 */
export function toModelError(error: unknown, target: CallTarget): unknown {
  const name = nameOf(target)
  // The package wraps aborts, connection errors and answers with a status, all as APIError; the first two have none.
  if (error instanceof APIError && error.status !== undefined) {
    return statusError(error, error.status, target)
  }
  if (error instanceof SyntaxError) {
    // The parser's own message quotes the answer.
    return failure('malformed', `${name} answered with malformed JSON.`, true)
  }
  if (wasInterrupted(error)) {
    const what = `broke the connection off before its answer was complete: ${rootMessage(error)}.`
    return failure('interrupted', `${name} ${what}`, true, error)
  }
  if (error instanceof APIConnectionError) {
    const what = `could not be reached: ${rootMessage(error)}.`
    return failure('unreachable', `${name} ${what}`, true, error)
  }
  if (error instanceof APIError && !(error instanceof APIUserAbortError)) {
    return eventError(error, target)
  }
  return error

  function failure(reason: ModelErrorReason, what: string, retryable: boolean, cause?: unknown) {
    const message = `${what} ${CURES[reason]}`
    return new ModelError({ message, retryable, reason, details: { model: target.model }, cause })
  }
}

/** The error for an answer that is not what the API promises. */
export function notAnApiAnswer(target: CallTarget, expected: string): ModelError {
  return new ModelError({
    message: `${nameOf(target)} answered with something that is not ${expected}. ${CURES.malformed}`,
    retryable: false,
    reason: 'malformed',
    details: { model: target.model },
  })
}

/** The error for an answer that did not come in time. */
export function timedOut(target: CallTarget, timeoutMs: number): ModelError {
  return new ModelError({
    message: `${nameOf(target)} did not answer within ${timeoutMs} ms. ${CURES.timeout}`,
    retryable: true,
    reason: 'timeout',
    details: { model: target.model, timeoutMs },
  })
}

/** Whether the provider may have done the work that it is paid for, though no answer came of it. */
export function mayBeBilled(error: unknown): boolean {
  return (
    ModelError.isInstance(error) &&
    (error.reason === 'interrupted' || error.reason === 'malformed' || error.reason === 'timeout')
  )
}

/** Whether the endpoint understood the request and does not take it, so that another one may do. */
export function isRefusal(error: unknown): error is ModelError {
  if (!ModelError.isInstance(error)) return false
  const { status } = error.details
  return error.reason === 'too_large' || (error.reason === 'refused' && isRefusalStatus(status))
}

function isRefusalStatus(status: unknown): boolean {
  return status === 400 || status === 422
}

function nameOf({ model, baseUrl }: CallTarget): string {
  return `Model "${model}" at ${baseUrl}`
}

function statusError(error: APIError, status: number, target: CallTarget): ModelError {
  return reportedError(error, status, `answered with status ${status}`, target)
}

/** The error for a stream in which the endpoint says that it failed. Its status is that of a stream that began well. */
function eventError(error: APIError, target: CallTarget): ModelError {
  const code = Number(error.code)
  const status = code >= 400 && code < 600 ? code : 500
  return reportedError(error, status, 'ended its answer with an error', target)
}

function reportedError(
  error: APIError,
  status: number,
  what: string,
  target: CallTarget,
): ModelError {
  const quoted = quote(error, target)
  const reason = reasonOf(status, error, quoted)
  const delayMs = askedDelay(error.headers)
  return new ModelError({
    message: `${nameOf(target)} ${what}${quoted && `: ${quoted}`}. ${CURES[reason]}`,
    retryable: RETRYABLE.has(reason),
    reason,
    retryAfterMs: delayMs ?? (reason === 'quota_exceeded' ? QUOTA_DELAY_MS : undefined),
    details: {
      model: target.model,
      status,
      ...(typeof error.code === 'string' && { providerCode: redactKey(error.code, target) }),
      ...(quoted && { providerMessage: quoted }),
    },
    // The original error repeats the endpoint's text, key included.
    cause: new Error(quoted || `status ${status}`),
  })
}

/** After this long a used-up quota is looked at again, if the provider does not say: somebody may have raised it. */
const QUOTA_DELAY_MS = 3_600_000
const QUOTA_CODES = new Set(['insufficient_quota', 'billing_hard_limit_reached'])
/** Timeout, conflict and too early: the same request may do later. */
const PASSING_STATUSES = new Set([408, 409, 425])
const RETRYABLE: ReadonlySet<ModelErrorReason> = new Set([
  'rate_limited',
  'quota_exceeded',
  'unavailable',
])

/** What providers say of one text that is too long, among them llama.cpp with status 500 and OpenAI with 429. */
const TEXT_TOO_LONG =
  /context (?:length|size|window)|too large to process|^request too large|(?:input|sequence|prompt|text|string) (?:length|is too long)|maximum (?:input |sequence )?length|too many tokens|(?:less|fewer|more) than \d+ tokens|max\w* (?:\w+ )*tokens/i

/** Whether a refusal is about the length of one text, and not about how many there are. */
export function speaksOfLength(error: ModelError): boolean {
  return TEXT_TOO_LONG.test(providerMessageOf(error))
}

/** What the provider itself wrote; empty when it wrote nothing. */
export function providerMessageOf({ details }: ModelError): string {
  return typeof details.providerMessage === 'string' ? details.providerMessage : ''
}

function reasonOf(status: number, { code, type }: APIError, message: string): ModelErrorReason {
  if (status === 402 || QUOTA_CODES.has(code ?? '') || QUOTA_CODES.has(type ?? '')) {
    return 'quota_exceeded'
  }
  if (status === 401 || status === 403) return 'unauthorized'
  if (status === 404) return 'not_found'
  if (status === 413) return 'too_large'
  const isTooLong = TEXT_TOO_LONG.test(message)
  if (status === 429) return /^request too large/i.test(message) ? 'too_large' : 'rate_limited'
  if (isTooLong && (isRefusalStatus(status) || status === 500)) return 'too_large'
  return PASSING_STATUSES.has(status) || status >= 500 ? 'unavailable' : 'refused'
}

const CURES: Readonly<Record<ModelErrorReason, string>> = {
  unreachable: 'Check that the endpoint runs and the base URL is right.',
  interrupted: 'Try again.',
  timeout: 'Try again, or allow it more time with timeoutMs.',
  rate_limited: 'Too many calls in this time: try again later.',
  quota_exceeded: "The account's quota is used up: raise it with the provider.",
  unauthorized: 'Check the API key and what it may use.',
  not_found: "Check the base URL and the model's name.",
  too_large: 'Send less at once, or use a model that takes more.',
  refused: 'The same request would be refused again.',
  malformed:
    'Check that the base URL is that of an OpenAI-compatible API, such as https://host/v1, and try again.',
  unavailable: 'The endpoint is overloaded or has a fault: try again later.',
}

function quote(error: APIError, target: CallTarget): string {
  const body: unknown = error.error
  const text =
    typeof body === 'object' &&
    body !== null &&
    'message' in body &&
    typeof body.message === 'string'
      ? body.message
      : error.message.replace(/^\d+ /, '')
  const line = redactKey(text, target).replace(/\s+/g, ' ').trim().replace(/\.$/, '')
  return line.length > MAX_QUOTED_CHARACTERS ? `${line.slice(0, MAX_QUOTED_CHARACTERS)}…` : line
}

function redactKey(text: string, { apiKey }: CallTarget): string {
  return apiKey ? text.replaceAll(apiKey, '[key]') : text
}

/** What Node and its `fetch` say of a connection that was there and broke. */
const BROKEN = /^(?:ECONNRESET|EPIPE|UND_ERR_(?:SOCKET|ABORTED|BODY_TIMEOUT|HEADERS_TIMEOUT))$/

/** An answer that ends before its body does surfaces as fetch's own `TypeError`, unwrapped. */
function wasInterrupted(error: unknown): boolean {
  if (error instanceof TypeError && error.cause !== undefined) return true
  if (!(error instanceof APIConnectionError)) return false
  const root = rootOf(error)
  return root instanceof Error && 'code' in root && BROKEN.test(String(root.code))
}

function rootOf(error: unknown): unknown {
  let root = error
  while (root instanceof Error && root.cause instanceof Error) root = root.cause
  return root
}

function rootMessage(error: unknown): string {
  const root = rootOf(error)
  if (!(root instanceof Error)) return String(root)
  return root.message || ('code' in root ? String(root.code) : root.name)
}
