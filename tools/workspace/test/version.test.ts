import { describe, expect, it } from 'vitest'
import { satisfiesMinimum } from '../version.mjs'

describe('satisfiesMinimum', () => {
  it.each([
    ['20.19.0', '20.19', true],
    ['20.20.2', '20.19', true],
    ['22.0.0', '20.19', true],
    ['20.18.3', '20.19', false],
    ['20.9.0', '20.19', false],
    ['9.99.0', '20.19', false],
    ['0.8.0', '0.7', true],
    ['0.10.1', '0.7', true],
  ])('takes %s for at least %s: %s', (version, minimum, expected) => {
    expect(satisfiesMinimum(version, minimum)).toBe(expected)
  })
})
