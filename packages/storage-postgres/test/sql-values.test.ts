import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { afterPrefix, isUuid } from '../src/sql-values.js'

const byCodePoint = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

describe('afterPrefix', () => {
  it.each([
    ['memory/', 'memory0'],
    ['a', 'b'],
    ['\ud7ff', '\ue000'],
    ['👍', '👎'],
    ['a\u{10ffff}', 'b'],
    ['\u{10ffff}', undefined],
    ['', undefined],
  ])('of %j is %j', (prefix, expected) => {
    expect(afterPrefix(prefix)).toBe(expected)
  })

  it('stands after every text with the prefix, and before every other that is greater', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', minLength: 1 }),
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'binary' }),
        (prefix, rest, other) => {
          const end = afterPrefix(prefix)
          if (end === undefined) return
          expect(byCodePoint(prefix + rest, end)).toBeLessThan(0)
          const isGreater = !other.startsWith(prefix) && byCodePoint(other, prefix) > 0
          expect(isGreater && byCodePoint(other, end) < 0).toBe(false)
        },
      ),
    )
  })
})

describe('isUuid', () => {
  it.each([
    ['0193a5b0-7000-7000-8000-000000000001', true],
    ['0193A5B0-7000-7000-8000-000000000001', true],
    ['0193a5b0700070008000000000000001', false],
    ['{0193a5b0-7000-7000-8000-000000000001}', false],
    ['0193a5b0-7000-7000-8000-000000000001\n', false],
    ['agent', false],
    ['', false],
  ])('of %j is %j', (text, expected) => {
    expect(isUuid(text)).toBe(expected)
  })
})
