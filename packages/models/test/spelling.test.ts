import { describe, expect, it } from 'vitest'
import { SPELLING_DIMENSIONS, addSpelling } from '../src/spelling.js'

function spell(word: string, weight = 1): number[] {
  const target = new Float64Array(SPELLING_DIMENSIONS)
  addSpelling(target, 0, word, weight)
  return [...target]
}

const dot = (a: number[], b: number[]) => a.reduce((sum, value, k) => sum + value * b[k]!, 0)

describe('addSpelling', () => {
  it('gives a vector whose length is the weight', () => {
    expect(Math.sqrt(dot(spell('caroline', 2), spell('caroline', 2)))).toBeCloseTo(2)
  })

  it('puts words that are spelled alike nearer than others', () => {
    const alike = dot(spell('restaurant'), spell('restaurants'))
    const unlike = dot(spell('restaurant'), spell('xk4471'))
    expect(alike).toBeGreaterThan(0.6)
    expect(alike).toBeGreaterThan(unlike + 0.3)
  })

  it('adds to what is there, from the offset on', () => {
    const target = new Float64Array(SPELLING_DIMENSIONS + 2).fill(1)
    addSpelling(target, 2, 'loam', 1)
    expect([...target.subarray(0, 2)]).toEqual([1, 1])
    expect([...target.subarray(2)].map((value) => value - 1)).toEqual(
      spell('loam').map((value) => expect.closeTo(value) as number),
    )
  })

  it('takes no more of a word than its beginning', () => {
    const long = 'x'.repeat(1_000_000)
    expect(spell(long)).toEqual(spell(`${long}y`))
  })

  it('adds nothing for an empty word', () => {
    expect(spell('')).toEqual(spell('', 0))
  })
})
