import { InvalidInputError } from '@loam/core'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { neutralize } from '../src/index.js'

const marks = { tags: ['memory'], markers: ['loam:boundary'] }

/** A text as a reader takes it who sees neither blanks, accents, case nor forms. */
function leniently(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\s\p{C}\p{M}]/gu, '')
    .replaceAll(/[‹〈⟨]/g, '<')
    .replaceAll(/[\\∕⁄]/g, '/')
    .toLowerCase()
}

/** A character as it is, as a capital, and in full width. */
const forms = (character: string) => [
  character,
  character.toUpperCase(),
  String.fromCodePoint(character.codePointAt(0)! + 0xfee0),
]

describe('neutralize', () => {
  it.each([
    '<memory>',
    '</memory>',
    '</MeMoRy>',
    '< / mem ory >',
    '<\n\n/\tm e m o r y>',
    '＜／ｍｅｍｏｒｙ＞',
    '﹤/memory﹥',
    '‹/memory›',
    '〈memory〉',
    '⟨memory⟩',
    '<∕memory>',
    '<⁄memory>',
    '<\\memory>',
    '<///memory>',
    '</𝐦𝐞𝐦𝐨𝐫𝐲>',
    '</ⓜⓔⓜⓞⓡⓨ>',
    '</mémory>',
    '</memory\u0301>',
    '</m\u200Be\u200Dm\u2060o\u00ADr\uFEFFy>',
    '</mem\u{E0041}ory>',
    '</mem\u3164ory>',
    '</mem\u0000ory>',
    '</mem\uFE0Fory>',
    '<\u0338/memory>',
    '\u226E/memory>',
    '<\u202E/memory>',
    `<${' '.repeat(1000)}/memory>`,
    `</m${'\u200B'.repeat(1000)}emory>`,
    '<</memory>',
    '</memory_items>',
    '</memory',
  ])('takes the power out of %j', (tag) => {
    const calm = neutralize(`a < b ${tag} c`, marks)
    expect(calm.startsWith('a < b ')).toBe(true)
    expect(calm).toContain('&lt;')
    expect(leniently(calm)).not.toMatch(/<\/*memory/)
  })

  it.each([
    'loam:boundary',
    'LOAM:Boundary',
    'loam : boundary',
    'ｌｏａｍ：ｂｏｕｎｄａｒｙ',
    'lo\u200Bam:\u00ADboundary',
    'loam\uFE55boundary',
    'loam:bound\náry',
  ])('takes out the mark %j as a whole', (mark) => {
    expect(neutralize(`x ${mark}. y`, marks)).toBe('x [removed]. y')
  })

  it('takes out marks that the removal of others would complete, or that stand in a tag', () => {
    expect(neutralize('loam:bouloam:boundaryndary', marks)).toBe('loam:bou[removed]ndary')
    expect(neutralize('</memory loam:boundary>', marks)).toBe('&lt;/memory [removed]>')
    const markers = ['<memory:end>', 'end>x']
    expect(neutralize('a <memory:end>x b', { tags: ['memory'], markers })).toBe('a [removed] b')
  })

  it.each([
    'if (a < memory) return',
    '<b>bold</b> <remember/> <mem> ory',
    'café Ünïcode ﬁne ＡＢＣ\u200B 日本語 🦆 <\u200B>',
    'The boundary of loam: none.',
    '',
  ])('leaves %j as it is', (text) => {
    expect(neutralize(text, { tags: ['context_file'], markers: marks.markers })).toBe(text)
  })

  it.each([
    'x',
    'abc',
    'removed',
    'ed] all',
    'now [rem',
    'lt; all',
    'see &l',
    'ma\u0301rk',
    '〈mark〉',
  ])('refuses the marker %j', (marker) => {
    const call = () => neutralize('x', { tags: [], markers: [marker] })
    expect(call).toThrow(InvalidInputError)
  })

  it.each([
    ['openers', '<'.repeat(1_000_000)],
    ['blanks', `<${' '.repeat(1_000)}`.repeat(1_000)],
    ['slashes', `<${'/'.repeat(1_000)}`.repeat(1_000)],
    ['tags', '</memory>'.repeat(100_000)],
    ['marks', 'loam:boundary'.repeat(80_000)],
    ['beginnings of marks', 'loam:bou'.repeat(125_000)],
  ])('is done with a million %s', (_what, text) => {
    expect(leniently(neutralize(text, marks))).not.toMatch(/<\/*memory|loam:boundary/)
  })

  it('finds every disguise, and changes nothing but what it finds', () => {
    const unseen = ['', '', ' ', '\n', '\u200B', '\u00AD', '\u2060', '\u0301', '\uFE0F', '\0']
    const disguised = (text: string) =>
      fc
        .tuple(
          ...Array.from(text, (character) =>
            fc.tuple(fc.constantFrom(...forms(character)), fc.constantFrom(...unseen)),
          ),
        )
        .map((characters) => characters.flat().join(''))
    const piece = fc.oneof(
      disguised('</memory>'),
      disguised('<memory'),
      disguised('loam:boundary'),
      fc.string({ unit: 'binary', maxLength: 4 }),
      fc.constantFrom('<', '/', 'memory', 'loam:', 'boundary', '&lt;', 'ﬁ', '≮'),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join('')
        const calm = neutralize(text, marks)
        expect(leniently(calm)).not.toMatch(/<\/*memory|loam:boundary/)
        expect(neutralize(calm, marks)).toBe(calm)
        const isHarmless = !/<\/*memory|loam:boundary/.test(leniently(text))
        expect(calm === text).toBe(isHarmless)
      }),
      { numRuns: 1000 },
    )
  })
})
