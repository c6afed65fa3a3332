import { describe, expect, it } from 'vitest'
import { LimitError, LoamError, NotFoundError } from '../src/index.js'

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
