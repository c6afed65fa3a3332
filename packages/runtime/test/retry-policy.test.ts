import {
  InvalidInputError,
  LimitError,
  ModelError,
  ModelOutputError,
  StorageFailedError,
  StorageUnavailableError,
} from '@loam/core'
import { describe, expect, it } from 'vitest'
import { nextStep } from '../src/retry-policy.js'

const half = () => 0.5
const unavailable = new StorageUnavailableError({ message: 'Down.' })

/** The tries that an error gets when it comes every time. */
function triesOf(error: unknown): number {
  let tries = 1
  while (nextStep(error, tries).step !== 'die') tries += 1
  return tries
}

describe('nextStep', () => {
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
  ])('gives %s %i tries', (error, tries) => {
    expect(triesOf(error)).toBe(tries)
  })

  it.each([
    [1, 750],
    [2, 2_250],
    [3, 6_750],
    [8, 1_640_250],
    [9, 2_700_000],
    [20, 2_700_000],
  ])('waits after try %i for %i ms', (tries, delayMs) => {
    expect(nextStep(unavailable, tries, half)).toEqual({ step: 'retry', delayMs })
  })

  it('spreads the waits over half of their length', () => {
    expect(nextStep(unavailable, 3, () => 0)).toMatchObject({ delayMs: 4_500 })
    expect(nextStep(unavailable, 3, () => 1)).toMatchObject({ delayMs: 9_000 })
  })

  it('puts off what a budget stops for as long as it asks and a little more, however often', () => {
    const limited = new LimitError({ message: 'Cap.', retryAfterMs: 60_000 })
    expect(nextStep(limited, 1, () => 0)).toEqual({ step: 'defer', delayMs: 60_000 })
    expect(nextStep(limited, 1_000, () => 1)).toEqual({ step: 'defer', delayMs: 87_000 })
  })

  it.each([
    ['a wrong key', { reason: 'unauthorized', details: { status: 401 } }],
    ['a model that is not there', { reason: 'not_found', details: { status: 404 } }],
    [
      'a model that the key may not use',
      { reason: 'unauthorized', details: { status: 403, providerCode: 'model_not_found' } },
    ],
  ] as const)('puts off what %s stops, however often', (_, fault) => {
    const error = new ModelError({ message: 'No.', retryable: false, ...fault })
    expect(nextStep(error, 1, () => 0)).toEqual({ step: 'defer', delayMs: 60_000 })
    expect(nextStep(error, 1_000, () => 1)).toEqual({ step: 'defer', delayMs: 120_000 })
  })

  it('gives up a text that the endpoint forbids', () => {
    const details = { status: 403 }
    const reason = 'unauthorized' as const
    const error = new ModelError({ message: 'No.', retryable: false, reason, details })
    expect(nextStep(error, 1)).toEqual({ step: 'die' })
  })

  it('waits at least as long as a provider asks for', () => {
    const busy = new ModelError({ message: 'Busy.', retryable: true, retryAfterMs: 60_000 })
    expect(nextStep(busy, 1)).toEqual({ step: 'retry', delayMs: 60_000 })
  })
})
