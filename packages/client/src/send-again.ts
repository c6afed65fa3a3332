import { HTTPError, type RetryOptions } from 'ky'

/** What decides whether a request is sent again. */
export interface SendAgainOptions {
  /** How often at most, save while an earlier sending is still being answered. */
  readonly retries: number
  /** Whether it may be sent again after its answer was lost. */
  readonly isRepeatable: boolean
  readonly signal?: AbortSignal | undefined
}

const TOO_MANY_REQUESTS = 429
const UNAVAILABLE = 503
const CONFLICT = 409
const MAX_DELAY_MS = 30_000
/** How long is waited for the answer that an earlier sending of the same request is being given. */
const MAX_WAIT_MS = 10 * 60_000

/** When one request is sent again, and when not. */
export function sendAgain({ retries, isRepeatable, signal }: SendAgainOptions): RetryOptions {
  const giveUpAt = Date.now() + MAX_WAIT_MS
  let failures = 0
  // A database that went away may have stored what it was given: 503 says that nothing is known.
  const statusCodes = isRepeatable
    ? [CONFLICT, TOO_MANY_REQUESTS, UNAVAILABLE]
    : [CONFLICT, TOO_MANY_REQUESTS]
  return {
    // What may be waited for is counted below, and apart.
    limit: Number.POSITIVE_INFINITY,
    methods: ['get', 'post', 'put', 'patch', 'delete'],
    statusCodes,
    afterStatusCodes: statusCodes,
    maxRetryAfter: MAX_DELAY_MS,
    backoffLimit: MAX_DELAY_MS,
    jitter: true,
    shouldRetry({ error }) {
      const response = error instanceof HTTPError ? error.response : undefined
      if (response?.status === CONFLICT) {
        const isWorthWaiting = response.headers.has('retry-after') && retries > 0
        return isWorthWaiting && Date.now() < giveUpAt ? undefined : false
      }
      failures += 1
      if (failures > retries) return false
      return response === undefined ? isRepeatable && signal?.aborted !== true : undefined
    },
  }
}
