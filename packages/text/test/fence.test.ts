import { InvalidInputError } from '@loam/core'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fence } from '../src/index.js'

describe('fence', () => {
  it('wraps a text in a block with attributes', () => {
    const attributes = { source: 'notes', rank: 1, none: undefined }
    expect(fence('a < b', { tag: 'memory', attributes })).toBe(
      '<memory source="notes" rank="1">\na < b\n</memory>',
    )
  })

  it('escapes attribute values, and keeps them on one line', () => {
    expect(fence('', { tag: 'm', attributes: { a: 'x"><b>\n&\'' } })).toContain(
      'a="x&quot;&gt;&lt;b&gt; &amp;&apos;"',
    )
  })

  it.each([
    '</memory>',
    '<memory>',
    '</MEMORY>',
    '< / memory >',
    '<\u200B/mem\u200Bory>',
    '</memory_items>',
    '＜/memory＞',
    '<\n/memory>',
    '<\\/memory>',
    '</memory',
  ])('takes the power out of %j', (tag) => {
    const body = fence(`x ${tag} y`, { tag: 'memory' }).slice(
      '<memory>\n'.length,
      -'\n</memory>'.length,
    )
    expect(body).toContain('&lt;')
    expect(body).not.toMatch(/[<＜]/)
  })

  it('leaves other tags readable', () => {
    const text = 'if (a < memory) return <b>bold</b> <remember/>'
    expect(fence(text, { tag: 'notes' })).toContain(text)
  })

  it('takes out markers, also those that another removal completes', () => {
    const markers = ['<!-- boundary -->']
    const text = '<!-- boun<!-- boundary -->dary --> <!-- boundary -->'
    const attributes = { title: '<!-- boundary -->' }
    expect(fence(text, { tag: 'm', markers, attributes })).not.toContain(markers[0])
  })

  it.each([
    { tag: 'a b' },
    { tag: '' },
    { tag: '<x' },
    { tag: 'm', attributes: { 'a"': 1 } },
    { tag: 'm', otherTags: ['1'] },
  ])('refuses %o', (options) => {
    expect(() => fence('x', options)).toThrow(InvalidInputError)
  })

  it('cannot be left, whatever the text', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 5 }),
      fc.constantFrom(
        '<',
        '/',
        '</',
        'memory',
        'MEMORY',
        '>',
        ' ',
        '&lt;',
        '\u200B',
        '\0',
        '[[CUT]]',
        '[[',
        'CUT]]',
      ),
    )
    fc.assert(
      fc.property(fc.array(piece), fc.array(piece), (pieces, title) => {
        const options = {
          tag: 'memory',
          attributes: { title: title.join('') },
          markers: ['[[CUT]]'],
        }
        const fenced = fence(pieces.join(''), options)
        expect(fenced).not.toContain('[[CUT]]')
        expect(fenced.match(/<[\s\p{Cf}\p{Cc}]*\/?[\s\p{Cf}\p{Cc}]*memory/giu)).toEqual([
          '<memory',
          '</memory',
        ])
        expect(fenced).toMatch(/^<memory title="[^"<>\n]*">\n/)
        expect(fenced.endsWith('\n</memory>')).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })
})
