import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimateTokens } from '../src/index.js'

describe('estimateTokens', () => {
  it.each([
    ['', 0],
    ['a', 1],
    ['four', 1],
    ['fives', 2],
    ['x'.repeat(400), 100],
    ['привет', 3],
    ['数据库', 3],
    ['서울', 2],
    ['ไทย', 3],
    ['👍', 2],
    ['naïve — café', 3],
  ])('estimates %j at %i', (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens)
  })

  it('never shrinks when text is added, and never exceeds the length', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other) => {
        expect(estimateTokens(one + other)).toBeGreaterThanOrEqual(estimateTokens(one))
        expect(estimateTokens(one)).toBeLessThanOrEqual(one.length)
      }),
    )
  })
})
