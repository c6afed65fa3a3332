import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tokenize } from '../src/index.js'

describe('tokenize', () => {
  it.each([
    ['hello, world!', ['hello', 'world']],
    ['BM25 search', ['bm25', 'search']],
    ['a b c hello', ['hello']],
    ['tool123 search', ['tool123', 'search']],
    ['a b c', []],
    ['', []],
    ['PDF — xử lý 文 a 文件, tool_name v2', ['pdf', 'xử', 'lý', '文件', 'tool', 'name', 'v2']],
    ["don't stop", ['don', 'stop']],
    ['技能搜索', ['技能', '能搜', '搜索']],
    ['𠮷 𝒳', []],
    ['हिन्दी', ['हिन्दी']],
    ['red🎉blue 👩‍🚀', ['red', 'blue']],
  ])('splits %j', (text, tokens) => {
    expect(tokenize(text)).toEqual(tokens)
  })

  it('gives only tokens of two characters and more', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        for (const token of tokenize(text)) expect(Array.from(token).length).toBeGreaterThan(1)
      }),
    )
  })
})
