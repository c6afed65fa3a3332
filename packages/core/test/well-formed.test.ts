import { describe, expect, it } from 'vitest'
import { isStorableText, toStorableJson, toStorableText } from '../src/index.js'

describe('toStorableText', () => {
  it.each([
    ['a\0b', 'ab'],
    ['\uD800', '\uFFFD'],
    ['x\uDC00y', 'x\uFFFDy'],
    ['\uDE00\uD83D', '\uFFFD\uFFFD'],
    ['😀', '😀'],
    ['\uFEFFa\uFEFFb', 'a\uFEFFb'],
    ['\0\uFEFFa', 'a'],
    ['a\r\nb', 'a\r\nb'],
  ])('turns %j into %j', (text, expected) => {
    expect(toStorableText(text)).toBe(expected)
    expect(isStorableText(text)).toBe(text === expected)
  })
})

describe('toStorableJson', () => {
  it('cleans keys and strings at every depth and leaves the rest', () => {
    expect(toStorableJson({ 'k\0': ['a\0', 1, null, { x: '\uD800' }] })).toEqual({
      k: ['a', 1, null, { x: '\uFFFD' }],
    })
  })
})
