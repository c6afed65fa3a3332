import { describe, expect, it } from 'vitest'
import { createTextEmbedder } from '../src/processes/text-vector.js'

describe('createTextEmbedder', () => {
  const embed = createTextEmbedder(256)
  const similarity = (one: string, other: string) =>
    embed(one).reduce((sum, value, index) => sum + value * (embed(other)[index] ?? 0), 0)

  it('makes vectors of length one', () => {
    expect(embed('the garden by the sea')).toHaveLength(256)
    expect(similarity('the garden by the sea', 'the garden by the sea')).toBeCloseTo(1, 3)
  })

  it('gives texts with the same words similar vectors', () => {
    const near = similarity('a garden by the sea', 'the sea and a garden')
    const far = similarity('a garden by the sea', 'train tickets cost much')
    expect(near).toBeGreaterThan(far + 0.3)
  })

  it('gives the same vector again, also in another process', () => {
    expect(createTextEmbedder(256)('garden')).toStrictEqual(embed('garden'))
  })
})
