import { ModelError } from '@loam/core'
import { APIConnectionError, APIError } from 'openai'

const MAX_QUOTED_CHARACTERS = 300
const RETRYABLE_STATUSES = new Set([408, 409, 425, 429])
const QUOTA_CODES = new Set(['insufficient_quota', 'billing_hard_limit_reached'])

/** Where a call went, and what its errors may not show. */
export interface CallTarget {
  readonly model: string
  readonly baseUrl: string
  readonly apiKey: string | undefined
}

/**
 * Turns what the `openai` package throws into a `ModelError` that says whether to try again. The key is cut out of
 * whatever the endpoint wrote. Errors of another origin are returned as they are.
 */
export function toModelError(error: unknown, target: CallTarget): unknown {
  const name = `Model "${target.model}" at ${target.baseUrl}`
  // The package wraps aborts, connection errors and answers with a status, all as APIError; the first two have none.
  if (error instanceof APIError && error.status !== undefined) {
    return statusError(error, error.status, name, target)
  }
  if (error instanceof SyntaxError) {
    return new ModelError({
      message: `${name} answered with malformed JSON. Try again; if it stays so, check that the base URL is that of an OpenAI-compatible API.`,
      retryable: true,
      details: { model: target.model },
      cause: error,
    })
  }
  if (error instanceof APIConnectionError || isCutConnection(error)) {
    return new ModelError({
      message: `${name} could not be reached: ${rootMessage(error)}. Check that the endpoint runs and the base URL is right.`,
      retryable: true,
      details: { model: target.model },
      cause: error,
    })
  }
  return error
}

/** The error for an answer that is not what the API promises. */
export function notAnApiAnswer(target: CallTarget, expected: string): ModelError {
  return new ModelError({
    message: `Model "${target.model}" at ${target.baseUrl} answered with something that is not ${expected}. Check that the base URL is that of an OpenAI-compatible API, such as https://host/v1.`,
    retryable: false,
    details: { model: target.model },
  })
}

function statusError(
  error: APIError,
  status: number,
  name: string,
  target: CallTarget,
): ModelError {
  const quotaUsedUp = QUOTA_CODES.has(error.code ?? '') || QUOTA_CODES.has(error.type ?? '')
  const quoted = quote(error, target)
  return new ModelError({
    message: `${name} answered with status ${status}${quoted && `: ${quoted}`}. ${cureOf(status, quotaUsedUp)}`,
    retryable: !quotaUsedUp && (RETRYABLE_STATUSES.has(status) || status >= 500),
    details: {
      model: target.model,
      status,
      ...(typeof error.code === 'string' && { providerCode: redactKey(error.code, target) }),
      ...retryAfter(error.headers),
    },
    // The original error repeats the endpoint's text, key included.
    cause: new Error(quoted || `status ${status}`),
  })
}

function cureOf(status: number, quotaUsedUp: boolean): string {
  if (quotaUsedUp || status === 402)
    return "The account's quota is used up: raise it with the provider."
  if (status === 401 || status === 403) return 'Check the API key and what it may use.'
  if (status === 404) return "Check the base URL and the model's name."
  if (status === 429) return 'Too many calls in this time: try again later.'
  if (RETRYABLE_STATUSES.has(status) || status >= 500) return 'Try again later.'
  return 'The same request would be refused again.'
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

/** Milliseconds from `retry-after-ms`, or from `Retry-After` in seconds or as a date (RFC 9110, 10.2.3). */
function retryAfter(headers: Headers | undefined): { readonly retryAfterMs?: number } {
  const milliseconds = Number(headers?.get('retry-after-ms') ?? Number.NaN)
  if (milliseconds >= 0) return { retryAfterMs: milliseconds }
  const value = headers?.get('retry-after')
  if (!value) return {}
  const delayMs = /^\d+(\.\d+)?$/.test(value)
    ? Number(value) * 1000
    : Date.parse(value) - Date.now()
  return Number.isFinite(delayMs) ? { retryAfterMs: Math.max(0, delayMs) } : {}
}

/** An answer that ends before its body does surfaces as fetch's own `TypeError`, unwrapped. */
function isCutConnection(error: unknown): boolean {
  return error instanceof TypeError && error.cause !== undefined
}

function rootMessage(error: unknown): string {
  let root = error
  while (root instanceof Error && root.cause instanceof Error) root = root.cause
  if (!(root instanceof Error)) return String(root)
  return root.message || ('code' in root ? String(root.code) : root.name)
}
