import { describe, expect, it } from 'vitest'
import { compare, type Side } from '../src/comparison.js'

function side(name: string, figures: readonly number[], calls: string[] = []): Side {
  return {
    name,
    async measure(round) {
      calls.push(`${name}${round}`)
      return figures[round] ?? Number.NaN
    },
  }
}

const question = { title: 'speed', unit: 'x/s', better: 'higher', target: 2, rounds: 3 } as const

describe('compare', () => {
  it('takes turns, changes who begins, and leaves the warm-up out', async () => {
    const calls: string[] = []
    const { ours, theirs } = await compare({
      ...question,
      ours: [side('a', [99, 1, 2, 3], calls)],
      theirs: [side('b', [99, 4, 5, 6], calls)],
      afterWarmUp: async () => void calls.push('warm'),
    })
    expect(calls).toStrictEqual(['a0', 'b0', 'warm', 'b1', 'a1', 'a2', 'b2', 'b3', 'a3'])
    expect(ours[0]?.samples).toStrictEqual([1, 2, 3])
    expect(theirs[0]?.samples).toStrictEqual([4, 5, 6])
  })

  it('sets the best of ours against the best of theirs', async () => {
    const { outcome } = await compare({
      ...question,
      ours: [side('slow', [0, 1, 1, 1]), side('fast', [0, 8, 4, 6])],
      theirs: [side('good', [0, 2, 2, 3]), side('bad', [0, 1, 1, 1])],
      besides: [side('best', [0, 99, 99, 99])],
    })
    expect(outcome).toStrictEqual({
      by: 'ratio',
      ours: 'fast',
      theirs: 'good',
      ofMedians: 3,
      min: 2,
      max: 4,
      targetMet: true,
    })
  })

  it('takes the lower figure as the better one of times', async () => {
    const { outcome } = await compare({
      ...question,
      better: 'lower',
      target: 0.5,
      ours: [side('slow', [0, 9, 9, 9]), side('fast', [0, 3, 3, 3])],
      theirs: [side('other', [0, 5, 5, 5])],
    })
    expect(outcome).toMatchObject({ ours: 'fast', ofMedians: 0.6, targetMet: false })
  })

  it('says how much more one takes than the other', async () => {
    const { outcome } = await compare({
      ...question,
      better: 'lower',
      by: 'difference',
      ours: [side('a', [0, 5, 6, 9])],
      theirs: [side('b', [0, 4, 4, 4])],
    })
    expect(outcome).toMatchObject({ ofMedians: 2, min: 1, max: 5, targetMet: true })
  })

  it('has no outcome when there is nobody to compare with', async () => {
    const { outcome } = await compare({
      ...question,
      ours: [side('a', [0, 1, 1, 1])],
      theirs: [],
    })
    expect(outcome).toBeUndefined()
  })
})
