import {
  LimitError,
  LoamError,
  ModelError,
  StorageFailedError,
  isModelMisconfigured,
} from '@loam/core'

/** Tries of a delivery whose failure nobody foresaw. */
const MAX_TRIES = 5
/** Tries while something is out of reach that may come back, such as a model: about 16 hours. */
const MAX_TRIES_WHILE_UNAVAILABLE = 24

const FIRST_DELAY_MS = 1_000
const FACTOR = 3
const MAX_DELAY_MS = 3_600_000

/** After this long a model with a wrong key or name is looked at again, and up to twice as long. */
const MISCONFIGURED_DELAY_MS = 60_000

/** Tries after which a delivery is given up that was begun again and again and never ended: it kills its process. */
export const MAX_UNFINISHED_TRIES = 30

/** What becomes of a delivery whose work failed. */
export type NextStep =
  /** Tried again after a wait. */
  | { readonly step: 'retry'; readonly delayMs: number }
  /** Put off until a budget allows it, or a model is set up rightly; that is no failure of the work, and counts as no try. */
  | { readonly step: 'defer'; readonly delayMs: number }
  /** Left to a person. */
  | { readonly step: 'die' }

/**
 * Decides what becomes of a delivery after its `tries`-th try failed.
 *
 * The wait is exponential with equal jitter (half fixed, half random), so that what failed together does not come back
 * together, and at least as long as the error asks for. An input that breaks a rule breaks it tomorrow too, and is not
 * tried again.
 */
export function nextStep(
  error: unknown,
  tries: number,
  random: () => number = Math.random,
): NextStep {
  const full = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * FACTOR ** (tries - 1))
  const wait = full / 2 + (full / 2) * random()
  if (LimitError.isInstance(error) && error.retryAfterMs !== undefined) {
    const spread = Math.min(error.retryAfterMs, FIRST_DELAY_MS * FACTOR ** 3) * random()
    return { step: 'defer', delayMs: Math.round(error.retryAfterMs + spread) }
  }
  if (isModelMisconfigured(error)) {
    return { step: 'defer', delayMs: Math.round(MISCONFIGURED_DELAY_MS * (1 + random())) }
  }
  if (tries >= maxTries(error)) return { step: 'die' }
  const asked = ModelError.isInstance(error) ? (error.retryAfterMs ?? 0) : 0
  return { step: 'retry', delayMs: Math.round(Math.max(wait, asked)) }
}

function maxTries(error: unknown): number {
  // A statement that the database refused is a fault of ours, not of the input.
  if (StorageFailedError.isInstance(error) || !LoamError.isInstance(error)) return MAX_TRIES
  return error.retryable ? MAX_TRIES_WHILE_UNAVAILABLE : 1
}
