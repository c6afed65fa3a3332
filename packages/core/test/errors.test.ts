import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { LimitError, LoamError, ModelError, ModelOutputError, NotFoundError } from '../src/index.js'

describe('LoamError.isInstance', () => {
  it('recognises every Loam error on the base, and only its own kind on a class', () => {
    const error = new NotFoundError({ message: 'no such agent' })
    expect(LoamError.isInstance(error)).toBe(true)
    expect(NotFoundError.isInstance(error)).toBe(true)
    expect(LimitError.isInstance(error)).toBe(false)
  })

  it('recognises an error that another copy of the package made', () => {
    const foreign = Object.assign(new Error('no such agent'), {
      code: 'not_found',
      [Symbol.for('loam.error')]: true,
    })
    expect(NotFoundError.isInstance(foreign)).toBe(true)
    expect(LimitError.isInstance(foreign)).toBe(false)
  })

  it('refuses what merely has the same code', () => {
    expect(NotFoundError.isInstance({ code: 'not_found' })).toBe(false)
    expect(LoamError.isInstance(undefined)).toBe(false)
  })
})

describe('LimitError', () => {
  it('may be retried exactly when waiting helps', () => {
    expect(new LimitError({ message: 'too many', retryAfterMs: 10 }).retryable).toBe(true)
    expect(new LimitError({ message: 'too large' }).retryable).toBe(false)
  })
})

describe('ModelError', () => {
  it('says why, and when to try again, in fields and in its details', () => {
    const error = new ModelError({
      message: 'Too many calls.',
      retryable: true,
      reason: 'rate_limited',
      retryAfterMs: 2_000,
      details: { model: 'small' },
    })
    expect(error).toMatchObject({
      reason: 'rate_limited',
      retryAfterMs: 2_000,
      retryable: true,
      details: { model: 'small', reason: 'rate_limited', retryAfterMs: 2_000 },
    })
  })

  it.each([
    [true, 'unavailable'],
    [false, 'refused'],
  ])('with retryable %j and no reason is %s', (retryable, reason) => {
    const error = new ModelError({ message: 'No.', retryable })
    expect(error).toMatchObject({ reason, retryAfterMs: undefined, details: { reason } })
    expect(error.details).not.toHaveProperty('retryAfterMs')
  })
})

describe('ModelOutputError', () => {
  it('keeps the answer where no logger finds it', () => {
    const error = new ModelOutputError({ message: 'No JSON.', reply: 'my secret diary' })
    expect(error.reply).toBe('my secret diary')
    const logged = [JSON.stringify(error), inspect(error), ...Object.values(error).map(String)]
    expect(logged.join()).not.toContain('diary')
    expect(new ModelOutputError({ message: 'No JSON.' }).reply).toBeUndefined()
  })
})
