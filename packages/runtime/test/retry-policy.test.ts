import {
  InvalidInputError,
  LimitError,
  ModelError,
  ModelOutputError,
  StorageFailedError,
  StorageUnavailableError,
} from '@loam/core'
import { describe, expect, it } from 'vitest'
import { retryDelayMs } from '../src/retry-policy.js'

const half = () => 0.5
const unavailable = new StorageUnavailableError({ message: 'Down.' })

/** The attempts that an error gets when it comes every time. */
function attemptsOf(error: unknown): number {
  let attempt = 1
  while (retryDelayMs(error, attempt) !== undefined) attempt += 1
  return attempt
}

describe('retryDelayMs', () => {
  it.each([
    [new InvalidInputError({ message: 'Bad.' }), 1],
    [new ModelOutputError({ message: 'Bad.' }), 1],
    [new ModelError({ message: 'Refused.', retryable: false }), 1],
    [new LimitError({ message: 'Too long.' }), 1],
    [new StorageFailedError({ message: 'Refused.' }), 5],
    [new TypeError('x is undefined'), 5],
    ['a string', 5],
    [new ModelError({ message: 'Overloaded.', retryable: true }), 24],
    [unavailable, 24],
  ])('gives %s %i attempts', (error, attempts) => {
    expect(attemptsOf(error)).toBe(attempts)
  })

  it.each([
    [1, 750],
    [2, 2_250],
    [3, 6_750],
    [8, 1_640_250],
    [9, 2_700_000],
    [20, 2_700_000],
  ])('waits after attempt %i for %i ms', (attempt, delay) => {
    expect(retryDelayMs(unavailable, attempt, half)).toBe(delay)
  })

  it('spreads the waits over half of their length', () => {
    expect(retryDelayMs(unavailable, 3, () => 0)).toBe(4_500)
    expect(retryDelayMs(unavailable, 3, () => 1)).toBe(9_000)
  })

  it('waits at least as long as a limit asks for', () => {
    const limited = new LimitError({ message: 'Cap.', retryAfterMs: 60_000 })
    expect(retryDelayMs(limited, 1)).toBe(60_000)
  })
})
