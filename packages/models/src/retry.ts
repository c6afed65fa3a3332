import { setTimeout as sleep } from 'node:timers/promises'
import { ModelError } from '@loam/core'
import type { Deadline } from './deadline.js'

const FIRST_DELAY_MS = 500
const LONGEST_DELAY_MS = 8000

/**
 * Tries again after model errors that may pass soon, waiting as long as the provider asks (`retryAfterMs`), or twice as
 * long each time with up to a quarter taken off. A used-up quota is not tried again here: it does not come back in the
 * time of a call. An error whose wait would outlast the deadline is thrown at once.
 */
export async function withRetries<Result>(
  attempt: () => Promise<Result>,
  { maxRetries, deadline }: { readonly maxRetries: number; readonly deadline: Deadline },
): Promise<Result> {
  for (let retry = 0; ; retry++) {
    try {
      return await attempt()
    } catch (error) {
      if (!mayPassSoon(error) || retry >= maxRetries) throw error
      const delayMs = error.retryAfterMs ?? backOff(retry)
      if (delayMs >= deadline.remainingMs()) throw error
      await sleep(delayMs, undefined, { signal: deadline.signal })
    }
  }
}

function mayPassSoon(error: unknown): error is ModelError {
  return ModelError.isInstance(error) && error.retryable && error.reason !== 'quota_exceeded'
}

function backOff(retry: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** retry, LONGEST_DELAY_MS) * (1 - Math.random() / 4)
}
