import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutCharacter, validUtf8Length } from '../../src/importers/valid-utf8-length.js'

describe('validUtf8Length', () => {
  it.each([
    [[], 0],
    [[0x41, 0x42], 2],
    [[0xef, 0xbb, 0xbf, 0x41, 0xff], 4],
    [[0x41, 0xe9, 0x22], 1],
    [[0x41, 0xc3], 1],
    [[0x80], 0],
  ])('of %j is %d', (bytes, expected) => {
    expect(validUtf8Length(Uint8Array.from(bytes))).toBe(expected)
  })
})

describe('cutCharacter', () => {
  it('is what a cut leaves of the last character', () => {
    const texts = fc.string({ unit: 'binary' })
    fc.assert(
      fc.property(texts, fc.nat(), (text, cut) => {
        const whole = Buffer.from(text)
        const bytes = whole.subarray(0, cut % (whole.byteLength + 1))
        expect(cutCharacter(bytes)).toHaveLength(bytes.byteLength - validUtf8Length(bytes))
      }),
    )
  })
})
