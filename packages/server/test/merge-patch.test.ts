import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergePatch } from '../src/merge-patch.js'

describe('mergePatch', () => {
  // The examples of RFC 7396, appendix A, whose target and patch are objects.
  it.each([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('merges %j with %j into %j', (target, patch, expected) => {
    expect(mergePatch(target, patch)).toStrictEqual(expected)
  })

  it('changes nothing when the same patch is merged again', () => {
    const objects = fc.dictionary(fc.string(), fc.jsonValue())
    fc.assert(
      fc.property(objects, objects, (target, patch) => {
        const once = mergePatch(target, patch)
        expect(mergePatch(once, patch)).toStrictEqual(once)
      }),
    )
  })
})
