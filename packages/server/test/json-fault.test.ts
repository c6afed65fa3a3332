import { describe, expect, it } from 'vitest'
import { jsonFault } from '../src/json-fault.js'

const nested = (depth: number): unknown => (depth === 0 ? 1 : { inner: nested(depth - 1) })

describe('jsonFault', () => {
  it.each([[{}], [{ a: [1, { b: null }] }], [nested(32)], [{ text: 'x'.repeat(60_000) }]])(
    'accepts an object within its limits',
    (value) => {
      expect(jsonFault(value)).toBeUndefined()
    },
  )

  it.each([
    ['nesting', nested(33), /32 levels/],
    [
      'nesting that would overflow a recursive reader',
      JSON.parse('['.repeat(1e5) + ']'.repeat(1e5)),
      /32 levels/,
    ],
    ['length', { text: 'x'.repeat(70_000) }, /65536/],
    ['a prototype', JSON.parse('{"a": [{"__proto__": {"admin": true}}]}'), /__proto__/],
  ])('refuses %s', (_what, value, fault) => {
    expect(jsonFault(value)).toMatch(fault)
  })
})
