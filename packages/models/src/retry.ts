import { setTimeout as sleep } from 'node:timers/promises'
import { ModelError } from '@loam/core'
import type { Deadline } from './deadline.js'

const FIRST_DELAY_MS = 500
const LONGEST_DELAY_MS = 8000

/**
 * Tries again after retryable model errors, waiting as long as the provider asks (`details.retryAfterMs`), or twice as
 * long each time with up to a quarter taken off. An error whose wait would outlast the deadline is thrown at once.
 */
export async function withRetries<Result>(
  attempt: () => Promise<Result>,
  { maxRetries, deadline }: { readonly maxRetries: number; readonly deadline: Deadline },
): Promise<Result> {
  for (let retry = 0; ; retry++) {
    try {
      return await attempt()
    } catch (error) {
      if (!ModelError.isInstance(error) || !error.retryable || retry >= maxRetries) throw error
      const delayMs = askedDelay(error) ?? backOff(retry)
      if (performance.now() + delayMs >= deadline.endsAt) throw error
      await sleep(delayMs, undefined, { signal: deadline.signal })
    }
  }
}

function askedDelay({ details }: ModelError): number | undefined {
  return typeof details.retryAfterMs === 'number' ? details.retryAfterMs : undefined
}

function backOff(retry: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** retry, LONGEST_DELAY_MS) * (1 - Math.random() / 4)
}
