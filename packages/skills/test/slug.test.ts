import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RESERVED_SLUGS, isSlug, slugify } from '../src/index.js'

describe('slugs', () => {
  it.each(['pdf', 'a1', '1a', 'code-review', 'a--b', 'x'.repeat(64)])('are %s', (slug) => {
    expect(isSlug(slug)).toBe(true)
  })

  const uuid = '01a25047-8748-716f-8089-d639ab11d5dd'
  it.each(['', 'a', 'A', '-a', 'a-', 'a_b', 'a b', 'ä1', 'x'.repeat(65), uuid, ...RESERVED_SLUGS])(
    'are not %j',
    (slug) => {
      expect(isSlug(slug)).toBe(false)
    },
  )
})

describe('slugify', () => {
  it.each([
    ['Code Review!', 'code-review'],
    ['  a__b--c  ', 'a-b-c'],
    ['Größe', 'grosse'],
    ['Привет мир', 'privet-mir'],
    ['网页搜索', 'wang-ye-sou-suo'],
    ['', 'skill'],
    ['  ', 'skill'],
  ])('makes of %j %j', (name, slug) => {
    expect(slugify(name)).toBe(slug)
  })

  it('gives a reserved word, a single letter and a name without letters slugs of their own', () => {
    const slugs = ['help', 'x', '!!!', '???', 'y'.repeat(100), crypto.randomUUID()].map(slugify)
    expect(new Set(slugs).size).toBe(slugs.length)
    for (const slug of slugs) expect(isSlug(slug)).toBe(true)
  })

  it('always gives a slug', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(isSlug(slugify(name))).toBe(true)
      }),
    )
  })
})
