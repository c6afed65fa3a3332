import { readFileSync } from 'node:fs'
import { ModelError } from '@loam/core'
import { describe, expect, it } from 'vitest'
import { decodeWordVectors, loadWordVectors } from '../src/word-vectors.js'

const asset = readFileSync(new URL('../assets/glove-100d-40k.bin', import.meta.url))

describe('loadWordVectors', () => {
  const words = loadWordVectors()
  const weight = (word: string) => words.weights[words.rows.get(word)!]!

  it('holds 40,000 words of 100 numbers', () => {
    expect(words.rows.size).toBe(40_000)
    expect(words.dimensions).toBe(100)
    expect(words.vectors).toHaveLength(4_000_000)
    expect(words.scales.every((scale) => scale > 0 && scale < 1)).toBe(true)
  })

  it('holds a common direction of length 1', () => {
    const squares = words.commonDirection.reduce((sum, value) => sum + value * value, 0)
    expect(squares).toBeCloseTo(1, 5)
  })

  it('weighs stop words nothing, names little, and rare words most', () => {
    expect(weight('the')).toBe(0)
    expect(weight('caroline')).toBeCloseTo(0.25, 2)
    expect(weight('people')).toBeGreaterThan(0.3)
    expect(weight('people')).toBeLessThan(weight('pottery'))
    expect(weight('pottery')).toBeGreaterThan(0.98)
  })

  it('is at most 5 MB', () => {
    expect(asset.length).toBeLessThan(5 * 1024 * 1024)
  })
})

describe('decodeWordVectors', () => {
  it('reads bytes that do not begin their buffer', () => {
    const shifted = new Uint8Array(asset.length + 3)
    shifted.set(asset, 3)
    const { rows, vectors } = decodeWordVectors(shifted.subarray(3))
    expect(rows.get('dog')).toBe(loadWordVectors().rows.get('dog'))
    expect(vectors.subarray(0, 100)).toEqual(loadWordVectors().vectors.subarray(0, 100))
  })

  it.each([
    ['nothing', new Uint8Array()],
    ['another file', Buffer.from('version https://git-lfs.github.com/spec/v1')],
    ['a file that was cut off', asset.subarray(0, 1_000_000)],
    ['a newer version', Buffer.concat([asset.subarray(0, 8), Buffer.from([9]), asset.subarray(9)])],
  ])('refuses %s', (_, bytes) => {
    expect(() => decodeWordVectors(bytes)).toThrow(ModelError)
    expect(() => decodeWordVectors(bytes)).toThrow(/Install @loam\/models again/)
  })
})
