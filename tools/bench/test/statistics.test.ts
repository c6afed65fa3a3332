import { describe, expect, it } from 'vitest'
import { quantile, summarise } from '../src/statistics.js'

describe('quantile', () => {
  it.each([
    [[3, 1, 2], 0.5, 2],
    [[4, 1, 2, 3], 0.5, 2.5],
    [[10], 0.5, 10],
    [[1, 2, 3, 4, 5], 0, 1],
    [[1, 2, 3, 4, 5], 1, 5],
    [[1, 2, 3, 4, 5], 0.25, 2],
  ])('of %j at %d is %d', (values, share, expected) => {
    expect(quantile(values, share)).toBe(expected)
  })

  it('refuses to say what nothing has', () => {
    expect(() => quantile([], 0.5)).toThrow(RangeError)
  })
})

describe('summarise', () => {
  it('names median, least and most', () => {
    expect(summarise([5, 1, 3])).toStrictEqual({ median: 3, min: 1, max: 5, samples: [5, 1, 3] })
  })
})
