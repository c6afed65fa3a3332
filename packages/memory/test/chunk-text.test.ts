import { isStorableText } from '@loam/core'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chunkText } from '../src/chunking/chunk-text.js'
import { countCodePoints } from '../src/chunking/code-points.js'

const lines = (count: number, length: number) =>
  Array.from({ length: count }, (_, index) => String.fromCodePoint(97 + index).repeat(length)).join(
    '\n',
  )

const shape = (text: string, maxLength?: number, overlap?: number) =>
  chunkText(text, { maxLength, overlap }).map(
    (chunk) => [countCodePoints(chunk.text), chunk.startLine, chunk.endLine] as const,
  )

const texts = (text: string, maxLength: number) =>
  chunkText(text, { maxLength }).map((chunk) => chunk.text)

const withoutBlanks = (text: string) => text.replaceAll(/\s/g, '')

/** Texts with what breaks chunkers: emoji, unsegmented scripts, marks, CRLF, long lines, blank lines, Markdown. */
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.constantFrom('', '   ', '\t', '# Heading', '```', '日本語'.repeat(30), '👩‍👩‍👧‍👦'.repeat(9)),
      fc.constantFrom('a'.repeat(99), '{"a":[1,2,3]}'.repeat(12), 'One. Two? Three! '.repeat(8)),
      fc.constantFrom('สวัสดีครับ'.repeat(12), 'नमस्ते '.repeat(20)),
    ),
    { maxLength: 30 },
  )
  .chain((parts) => fc.constantFrom('\n', '\r\n', '\r').map((end) => parts.join(end)))

describe('chunkText', () => {
  it.each<[string, string, number, number, (readonly [number, number, number])[]]>([
    ['nothing', '', 1000, 0, []],
    ['blanks only', ' \n\t\n ', 1000, 0, []],
    ['one word', 'hello', 1000, 0, [[5, 1, 1]]],
    [
      'two halves with a blank line',
      `${'a'.repeat(60)}\n\n${'b'.repeat(60)}`,
      100,
      0,
      [
        [60, 1, 1],
        [60, 3, 3],
      ],
    ],
    [
      'a blank line in the first half',
      `${'a'.repeat(40)}\n\n${'b'.repeat(40)}`,
      100,
      0,
      [[82, 1, 3]],
    ],
    [
      'five lines of 30',
      lines(5, 30),
      100,
      0,
      [
        [92, 1, 3],
        [61, 4, 5],
      ],
    ],
    [
      'five lines of 30, overlapping',
      lines(5, 30),
      100,
      40,
      [
        [92, 1, 3],
        [92, 3, 5],
      ],
    ],
    [
      'four lines of 30, overlapping',
      lines(4, 30),
      100,
      40,
      [
        [92, 1, 3],
        [61, 3, 4],
      ],
    ],
    [
      'two lines of 50, overlapping',
      lines(2, 50),
      100,
      50,
      [
        [50, 1, 1],
        [50, 2, 2],
      ],
    ],
    [
      'one line of 2,500',
      'a'.repeat(2500),
      1000,
      200,
      [
        [1000, 1, 1],
        [1000, 1, 1],
        [500, 1, 1],
      ],
    ],
    ['a line end at the end', 'abc\n', 1000, 0, [[3, 1, 1]]],
    ['blank lines around', '\n\nabc\n\n', 1000, 0, [[3, 3, 3]]],
    ['a byte order mark', '\uFEFFabc', 1000, 0, [[3, 1, 1]]],
    ['CRLF', 'abc\r\ndef\r\n', 1000, 0, [[7, 1, 2]]],
  ])('cuts %s', (_, text, maxLength, overlap, expected) => {
    expect(shape(text, maxLength, overlap)).toEqual(expected)
  })

  it.each([[0], [-5], [Number.NaN], [undefined]])('reads a length of %s as 1,000', (maxLength) => {
    expect(shape('a'.repeat(1500), maxLength)).toEqual([
      [1000, 1, 1],
      [500, 1, 1],
    ])
  })

  it.each([
    [
      -10,
      [
        [92, 1, 3],
        [61, 4, 5],
      ],
    ],
    [
      1000,
      [
        [92, 1, 3],
        [92, 3, 5],
      ],
    ],
  ])('bounds an overlap of %i to 0 and half of the length', (overlap, expected) => {
    expect(shape(lines(5, 30), 100, overlap)).toEqual(expected)
  })

  it('counts characters, not bytes or UTF-16 units', () => {
    expect(shape('日'.repeat(100), 100)).toEqual([[100, 1, 1]])
    expect(shape('😀'.repeat(100), 100)).toEqual([[100, 1, 1]])
  })

  it('cuts a long line behind a sentence, else behind a word, else between characters', () => {
    expect(texts('One two three. Four five six. Seven.', 20)).toEqual([
      'One two three.',
      'Four five six.',
      'Seven.',
    ])
    expect(texts('alpha beta gamma delta', 12)).toEqual(['alpha beta', 'gamma delta'])
    expect(texts('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij'])
    expect(texts('今天天气很好。我们去公园。', 8)).toEqual(['今天天气很好。', '我们去公园。'])
  })

  it('keeps marks and joined emoji with their character', () => {
    const family = '👩‍👩‍👧'
    const chunks = chunkText(family.repeat(10), { maxLength: 12 })
    for (const { text } of chunks) expect(text.replaceAll(family, '')).toBe('')
  })

  it('names the headings above a chunk, without repeating them in its text', () => {
    const text = [
      '# Projects',
      '## Billing',
      'x'.repeat(60),
      '',
      'y'.repeat(60),
      '## Search ##',
      'z'.repeat(60),
      '# People',
      'w'.repeat(60),
    ].join('\n')
    expect(
      chunkText(text, { maxLength: 90 }).map(({ heading, startLine }) => [heading, startLine]),
    ).toEqual([
      [undefined, 1],
      ['Projects > Billing', 5],
      ['Projects', 6],
      [undefined, 8],
    ])
  })

  it('takes a number sign in a fenced block for no heading', () => {
    const text = ['# Setup', '```sh', '# install', '```', 'x'.repeat(80), '', 'y'.repeat(80)].join(
      '\n',
    )
    expect(chunkText(text, { maxLength: 110 }).map(({ heading }) => heading)).toEqual([
      undefined,
      'Setup',
    ])
  })

  it('bounds the headings that it names', () => {
    const text = `# ${'long '.repeat(500)}\n\n${'x'.repeat(900)}`
    const chunks = chunkText(text)
    expect(chunks.length).toBeGreaterThan(1)
    for (const { heading = '' } of chunks) expect(heading.length).toBeLessThanOrEqual(100)
  })

  it('gives no chunk above the limit, none that is blank, and breaks no character', () => {
    fc.assert(
      fc.property(
        anyText,
        fc.integer({ min: 1, max: 120 }),
        fc.integer({ min: 0, max: 80 }),
        (text, maxLength, overlap) => {
          for (const chunk of chunkText(text, { maxLength, overlap })) {
            expect(countCodePoints(chunk.text)).toBeLessThanOrEqual(maxLength)
            expect(chunk.text.trim()).not.toBe('')
            expect(isStorableText(chunk.text) || !isStorableText(text)).toBe(true)
            expect(chunk.endLine).toBeGreaterThanOrEqual(chunk.startLine)
          }
        },
      ),
    )
  })

  it('drops no text', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 120 }), (text, maxLength) => {
        const joined = chunkText(text, { maxLength }).map((chunk) => chunk.text)
        expect(withoutBlanks(joined.join(''))).toBe(withoutBlanks(text.replace(/^\uFEFF/, '')))
      }),
    )
  })

  it('names the lines on which a chunk stands', () => {
    const line = fc.string({ unit: 'grapheme-ascii', maxLength: 40 })
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), (parts) => {
        const rows = parts.map((part) => part.replaceAll(/[\r\n]/g, ' '))
        for (const chunk of chunkText(rows.join('\n'), { maxLength: 50, overlap: 20 })) {
          const there = rows.slice(chunk.startLine - 1, chunk.endLine).join('\n')
          expect(chunk.text).toBe(there.trim())
        }
      }),
    )
  })

  it('repeats only whole lines, and never a chunk of nothing else', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 49 }), { maxLength: 30 }), (lengths) => {
        const rows = lengths.map((length, index) => `${index}`.padEnd(length, 'x'))
        let last = 0
        for (const chunk of chunkText(rows.join('\n'), { maxLength: 50, overlap: 25 })) {
          expect(chunk.startLine).toBeLessThanOrEqual(last + 1)
          expect(chunk.endLine).toBeGreaterThan(last)
          last = chunk.endLine
        }
        expect(last).toBe(rows.length)
      }),
    )
  })

  it('cuts two million characters of one line', () => {
    expect(chunkText('x'.repeat(2_000_000))).toHaveLength(2000)
    expect(chunkText('y\n'.repeat(500_000)).length).toBeGreaterThan(900)
  })
})
