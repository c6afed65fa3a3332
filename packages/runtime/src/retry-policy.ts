import { LimitError, LoamError, StorageFailedError } from '@loam/core'

/** Tries of a delivery whose failure nobody foresaw. */
const MAX_ATTEMPTS = 5
/** Tries while something is out of reach that may come back, such as a model: about 16 hours. */
const MAX_ATTEMPTS_WHILE_UNAVAILABLE = 24

const FIRST_DELAY_MS = 1_000
const FACTOR = 3
const MAX_DELAY_MS = 3_600_000

/** Attempts after which a delivery is given up that was begun again and again and never ended: it kills its process. */
export const MAX_UNFINISHED_ATTEMPTS = 30

/**
 * How long to wait before a failed delivery is tried again; undefined when it is not.
 *
 * Exponential with equal jitter (half fixed, half random), so that what failed together does not come back together.
 * An input that breaks a rule breaks it tomorrow too, and is not tried again.
 */
export function retryDelayMs(
  error: unknown,
  attempt: number,
  random: () => number = Math.random,
): number | undefined {
  if (attempt >= maxAttempts(error)) return undefined
  const full = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * FACTOR ** (attempt - 1))
  const wait = full / 2 + (full / 2) * random()
  const asked = LimitError.isInstance(error) ? (error.retryAfterMs ?? 0) : 0
  return Math.round(Math.max(wait, asked))
}

function maxAttempts(error: unknown): number {
  // A statement that the database refused is a fault of ours, not of the input.
  if (StorageFailedError.isInstance(error) || !LoamError.isInstance(error)) return MAX_ATTEMPTS
  return error.retryable ? MAX_ATTEMPTS_WHILE_UNAVAILABLE : 1
}
