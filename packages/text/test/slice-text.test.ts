import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { headOf, sliceText, tailOf } from '../src/index.js'

const family = '👨‍👩‍👧'
const flags = '🇩🇪🇫🇷'
const isWellFormed = (text: string) => !/\p{Cs}/u.test(text)

describe('sliceText', () => {
  it.each([
    ['like slice in plain text', 'hello', 1, 3, 'el'],
    ['to the end by default', 'hello', 2, undefined, 'llo'],
    ['with negative positions', 'hello', -3, -1, 'll'],
    ['without a pair that the end would split', 'a👍b', 0, 2, 'a'],
    ['without a pair that the start would split', 'a👍b', 2, 4, 'b'],
    ['without a letter that would lose its accent', 'xe\u0301y', 0, 2, 'x'],
    ['without a lone accent at the start', 'e\u0301x', 1, 3, 'x'],
    ['without half a family', `a${family}b`, 0, 5, 'a'],
    ['without half a flag', flags, 0, 6, '🇩🇪'],
    ['without half a line break', 'a\r\nb', 0, 2, 'a'],
    ['nothing where start and end meet', 'abc', 2, 2, ''],
    ['nothing where the end comes first', 'abc', 2, 1, ''],
    ['nothing of half a pair', '👍', 0, 1, ''],
    ['a part of a character that is longer than the range', `${family}b`, 0, 5, '👨‍👩'],
  ])('cuts %s', (_, text, start, end, expected) => {
    expect(sliceText(text, start, end)).toBe(expected)
  })

  it('goes on through a text of marks', () => {
    const text = `e${'\u0301'.repeat(1000)}`
    expect(sliceText(text, 0, 100)).toHaveLength(100)
  })

  it('is never longer than asked for, and well formed if the text is', () => {
    const position = fc.integer({ min: -5, max: 60 })
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 50 }),
        position,
        position,
        (text, start, end) => {
          const slice = sliceText(text, start, end)
          expect(slice.length).toBeLessThanOrEqual(text.slice(start, end).length)
          expect(text.slice(start, end)).toContain(slice)
          expect(isWellFormed(slice)).toBe(true)
        },
      ),
    )
  })

  it('gives the text back when it is cut into pieces', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 60 }),
        fc.integer({ min: 2, max: 9 }),
        (text, size) => {
          let rest = text
          let joined = ''
          while (rest !== '') {
            const piece = headOf(rest, size)
            expect(piece).not.toBe('')
            joined += piece
            rest = rest.slice(piece.length)
          }
          expect(joined).toBe(text)
        },
      ),
    )
  })
})

describe('headOf and tailOf', () => {
  it.each([
    ['一二三四五六七八九十', 3, '一二三', '八九十'],
    ['一二三', 0, '', ''],
    ['一二三', -1, '', ''],
    ['一二三', Number.NaN, '', ''],
    ['一二三', 2.9, '一二', '二三'],
    ['一二三', Number.POSITIVE_INFINITY, '一二三', '一二三'],
    ['👍a👍', 2, '👍', '👍'],
    ['👍a👍', 1, '', ''],
  ])('cut %j to %s', (text, length, head, tail) => {
    expect(headOf(text, length)).toBe(head)
    expect(tailOf(text, length)).toBe(tail)
  })
})
