import { describe, expect, it } from 'vitest'
import { bm25InverseDocumentFrequency, bm25TermScore } from '../src/index.js'

describe('bm25InverseDocumentFrequency', () => {
  it('is ln((N - df + 0.5) / (df + 0.5) + 1)', () => {
    expect(bm25InverseDocumentFrequency(3, 1)).toBeCloseTo(Math.log(2.5 / 1.5 + 1), 12)
  })

  it('stays above 0 for a term that every text has', () => {
    expect(bm25InverseDocumentFrequency(10, 10)).toBeGreaterThan(0)
  })
})

describe('bm25TermScore', () => {
  const term = { frequency: 2, length: 10, averageLength: 10, idf: 1 }

  it('follows the formula with k1 1.2 and b 0.75', () => {
    expect(bm25TermScore(term)).toBeCloseTo((2 * 2.2) / (2 + 1.2), 12)
  })

  it('grows with the frequency, and less each time', () => {
    const [one, two, three] = [1, 2, 3].map((frequency) => bm25TermScore({ ...term, frequency }))
    expect(two! - one!).toBeGreaterThan(three! - two!)
    expect(three!).toBeGreaterThan(two!)
  })

  it('holds long texts back unless b is 0', () => {
    expect(bm25TermScore({ ...term, length: 20 })).toBeLessThan(bm25TermScore(term))
    expect(bm25TermScore({ ...term, length: 20, b: 0 })).toBe(bm25TermScore({ ...term, b: 0 }))
  })

  it('is 0 for a term that does not occur, and finite where all texts are empty', () => {
    expect(bm25TermScore({ ...term, frequency: 0 })).toBe(0)
    expect(bm25TermScore({ ...term, averageLength: 0 })).toBeGreaterThan(0)
  })
})
