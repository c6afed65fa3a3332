import { InvalidInputError } from '@loam/core'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeHybrid, type HybridCandidate } from '../src/index.js'

const row = (path: string, score: number, rest: Partial<HybridCandidate> = {}) => ({
  path,
  startLine: 1,
  score,
  ...rest,
})

describe('mergeHybrid', () => {
  it('keeps only the row of the user, boosted once, where both scopes hold the same path', () => {
    const lexical = [row('a.md', 1, { scope: 'personal' }), row('a.md', 1, { scope: 'global' })]
    expect(mergeHybrid(lexical, [])).toEqual([row('a.md', 1.2, { scope: 'personal' })])
  })

  it('drops the global rows of a path before it scales', () => {
    const lexical = [row('a.md', 10, { scope: 'global', startLine: 7 }), row('b.md', 2)]
    const vector = [row('a.md', 0.5, { scope: 'personal' })]
    expect(mergeHybrid(lexical, vector)).toEqual([
      row('a.md', expect.closeTo(0.7 * 0.5 * 1.2) as number, { scope: 'personal' }),
      row('b.md', 0.3),
    ])
  })

  it('adds the weighted scores of one row in both channels', () => {
    const [hit] = mergeHybrid([row('a.md', 8), row('b.md', 4)], [row('a.md', 0.5)])
    expect(hit).toEqual(row('a.md', expect.closeTo(0.3 + 0.35) as number))
  })

  it('lets one channel count in full where the other is empty', () => {
    expect(mergeHybrid([row('a.md', 8)], [])[0]!.score).toBe(1)
    expect(mergeHybrid([], [row('a.md', 0.4)])[0]!.score).toBe(0.4)
    expect(mergeHybrid([], [])).toEqual([])
  })

  it('scales vector scores on request', () => {
    expect(mergeHybrid([], [row('a.md', 0.4)], { scaleVector: true })[0]!.score).toBe(1)
  })

  it('takes weights and boost from the options', () => {
    const options = { weights: { lexical: 0.6, vector: 0.4 }, personalBoost: 1 }
    const hits = mergeHybrid(
      [row('a.md', 2, { scope: 'personal' })],
      [row('a.md', 0.5, { scope: 'personal' })],
      options,
    )
    expect(hits[0]!.score).toBeCloseTo(0.8)
  })

  it('counts a row once that a channel lists twice', () => {
    expect(mergeHybrid([row('a.md', 2), row('a.md', 4)], [])).toEqual([row('a.md', 1)])
  })

  it('tells rows apart by id without a path, and by a key of the caller', () => {
    const rows = [
      { id: 'x', score: 1 },
      { id: 'y', score: 1 },
    ]
    expect(mergeHybrid(rows, [])).toHaveLength(2)
    expect(mergeHybrid(rows, [], { key: () => 'same' })).toHaveLength(1)
  })

  it('carries further fields, and fills in what the first row lacks', () => {
    const lexical = [{ id: 'x', score: 1, text: 'body', page: undefined }]
    const vector = [{ id: 'x', score: 1, text: 'other', page: 3 }]
    expect(
      mergeHybrid<{ id: string; score: number; text: string; page: number | undefined }>(
        lexical,
        vector,
      ),
    ).toEqual([{ id: 'x', score: 1, text: 'body', page: 3 }])
  })

  it('orders equal scores by path, start line and id', () => {
    const rows = [
      row('b.md', 1),
      row('a.md', 1, { startLine: 9 }),
      row('a.md', 1),
      { id: 'z', score: 1 },
      { id: 'y', score: 1 },
    ]
    expect(
      mergeHybrid<HybridCandidate>(rows, []).map(
        ({ path, startLine, id }) => path ?? id + `${startLine ?? ''}`,
      ),
    ).toEqual(['y', 'z', 'a.md', 'a.md', 'b.md'])
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -3])('counts a score of %s as 0', (score) => {
    expect(mergeHybrid([row('a.md', score), row('b.md', 2)], [])).toEqual([
      row('b.md', 1),
      row('a.md', 0),
    ])
  })

  it('leaves its input alone', () => {
    const lexical = [Object.freeze(row('a.md', 3))]
    mergeHybrid(Object.freeze(lexical) as typeof lexical, [])
    expect(lexical).toEqual([row('a.md', 3)])
  })

  it('refuses rows that cannot be told apart, and factors below 0', () => {
    expect(() => mergeHybrid([{ score: 1 }], [])).toThrow(InvalidInputError)
    expect(() => mergeHybrid([], [], { personalBoost: -1 })).toThrow(InvalidInputError)
    expect(() => mergeHybrid([], [], { weights: { lexical: Number.NaN, vector: 1 } })).toThrow(
      InvalidInputError,
    )
  })

  const candidate: fc.Arbitrary<HybridCandidate> = fc.record({
    path: fc.constantFrom('a.md', 'b.md', 'c.md'),
    startLine: fc.integer({ min: 1, max: 3 }),
    score: fc.double(),
    scope: fc.constantFrom('personal' as const, 'global' as const),
  })

  it('stays within 0 and the boost, and lists each row once', () => {
    fc.assert(
      fc.property(fc.array(candidate), fc.array(candidate), (lexical, vector) => {
        const hits = mergeHybrid(lexical, vector)
        for (const { score } of hits) {
          expect(score).toBeGreaterThanOrEqual(0)
          expect(score).toBeLessThanOrEqual(1.2 + 1e-9)
        }
        const names = hits.map(({ path, startLine }) => `${path}:${startLine}`)
        expect(new Set(names).size).toBe(names.length)
      }),
    )
  })

  it('gives the same rows and scores whatever the order of its input', () => {
    fc.assert(
      fc.property(fc.array(candidate), fc.array(candidate), (lexical, vector) => {
        expect(mergeHybrid(lexical.toReversed(), vector.toReversed())).toEqual(
          mergeHybrid(lexical, vector),
        )
      }),
    )
  })
})
