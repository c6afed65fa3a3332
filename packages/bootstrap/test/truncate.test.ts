import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { truncateContextFiles, type ContextFile, type TruncationLimits } from '../src/index.js'

const file = (name: string, length: number, letter = 'x'): ContextFile => ({
  name,
  content: letter.repeat(length),
})
const lengths = (files: readonly { readonly content: string }[]) =>
  files.map(({ content }) => content.length)
const marker = (name: string, head: number, tail: number, total: number) =>
  `\n\n[...truncated, read ${name} for full content...]\n… ${name}: kept ${head}+${tail} chars of ${total} …\n\n`

/** Whether a place stands between the halves of a surrogate pair. */
const isPair = (content: string, place: number) =>
  /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(content.slice(place - 1, place + 1))

describe('truncation defaults of the seed', () => {
  it('MaxCharsPerFile is 20,000: a file of that length stays as it is', () => {
    expect(truncateContextFiles([file('SOUL.md', 20_000)])).toEqual([
      { ...file('SOUL.md', 20_000), originalLength: 20_000, truncated: false },
    ])
  })

  it.each([
    ['SOUL.md', 20_001],
    ['AGENTS.md', 50_000],
  ])(
    'HeadRatio is 70 %% and TailRatio 20 %%: %s of %i characters keeps 14,000 and 4,000',
    (name, length) => {
      const content = `${'h'.repeat(14_000)}${'m'.repeat(length - 18_000)}${'t'.repeat(4_000)}`
      const [cut] = truncateContextFiles([{ name, content }])
      expect(cut).toEqual({
        name,
        content: `${'h'.repeat(14_000)}${marker(name, 14_000, 4_000, length)}${'t'.repeat(4_000)}`,
        originalLength: length,
        truncated: true,
      })
    },
  )

  it('TotalMaxChars is 24,000: the second of two long files has what is left, the third nothing', () => {
    const files = truncateContextFiles([
      file('AGENTS.md', 30_000),
      file('SOUL.md', 30_000),
      file('TOOLS.md', 100),
    ])
    const first = 18_000 + marker('AGENTS.md', 14_000, 4_000, 30_000).length
    expect(lengths(files)).toEqual([first, 24_000 - first])
    expect(files[1]?.content.endsWith('…')).toBe(true)
  })

  it('MinFileBudget is 64: with 63 left no file is taken, though it would fit', () => {
    const files = [file('AGENTS.md', 20_000), file('SOUL.md', 3_937), file('TOOLS.md', 10)]
    expect(lengths(truncateContextFiles(files))).toEqual([20_000, 3_937])
    const one = [file('AGENTS.md', 20_000), file('SOUL.md', 3_936), file('TOOLS.md', 10)]
    expect(lengths(truncateContextFiles(one))).toEqual([20_000, 3_936, 10])
  })
})

describe('truncateContextFiles', () => {
  it('rounds the shares down as the machine computes them: 0.7 of 90 is 62', () => {
    const [cut] = truncateContextFiles([file('A.md', 100)], { maxCharsPerFile: 90 })
    expect(cut?.content).toBe(`${'x'.repeat(62)}${marker('A.md', 62, 18, 100)}${'x'.repeat(18)}`)
  })

  it('leaves out blank files, which cost nothing', () => {
    const files = [{ name: 'A.md', content: ' \n\t ' }, file('B.md', 100)]
    expect(truncateContextFiles(files, { totalMaxChars: 100 })).toHaveLength(1)
  })

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('takes %d for the default', (value) => {
    const limits = { maxCharsPerFile: value, totalMaxChars: value, headRatio: value }
    expect(lengths(truncateContextFiles([file('A.md', 20_000)], limits))).toEqual([20_000])
  })

  it.each([
    [1, 'x'],
    [3, 'xxx'],
    [4, 'xxx…'],
  ])('cuts to a budget of %i without going beyond it', (totalMaxChars, content) => {
    const limits = { totalMaxChars, minFileBudget: 1 }
    expect(truncateContextFiles([file('A.md', 100)], limits)[0]?.content).toBe(content)
  })

  it('shows no text twice when the shares are more than the whole', () => {
    const limits = { maxCharsPerFile: 20, headRatio: 0.9, tailRatio: 0.9 }
    const [cut] = truncateContextFiles(
      [{ name: 'A.md', content: 'abcdefghijklmnopqrstuvwxyz' }],
      limits,
    )
    expect(cut?.content).toBe(`abcdefghijklmnopqr${marker('A.md', 18, 8, 26)}stuvwxyz`)
  })

  it('leaves out a marker that it would have to cut', () => {
    const limits = { maxCharsPerFile: 100, totalMaxChars: 110, minFileBudget: 1 }
    const [cut] = truncateContextFiles([file('A.md', 200)], limits)
    expect(cut?.content).toBe(`${'x'.repeat(70)}…`)
  })

  it('serves files of a higher priority first, and keeps the order', () => {
    const files = [file('AGENTS.md', 300), file('USER.md', 80, 'u')]
    const limits = { totalMaxChars: 200, priority: (name: string) => (name === 'USER.md' ? 1 : 0) }
    const cut = truncateContextFiles(files, limits)
    expect(cut.map(({ name, content }) => [name, content.length])).toEqual([
      ['AGENTS.md', 120],
      ['USER.md', 80],
    ])
  })

  const text = fc.string({
    unit: fc.oneof(
      fc.constantFrom('a', ' ', '\n', 'é', 'e\u0301', '👍', '👨‍👩‍👧', '🇩🇪', '\r\n', '한', '\u200D'),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    ),
    maxLength: 400,
  })
  const files = fc.array(
    fc.record({ name: fc.constantFrom('A.md', 'B.md', 'LONGER_NAME.md'), content: text }),
    { maxLength: 5 },
  )
  const limits: fc.Arbitrary<TruncationLimits> = fc.record({
    maxCharsPerFile: fc.integer({ min: 1, max: 200 }),
    totalMaxChars: fc.integer({ min: 1, max: 600 }),
    minFileBudget: fc.integer({ min: 1, max: 70 }),
  })

  it('is never longer than the budget, in order, and flags exactly what it changed', () => {
    fc.assert(
      fc.property(files, limits, (given, bounds) => {
        const cut = truncateContextFiles(given, bounds)
        const total = lengths(cut).reduce((sum, length) => sum + length, 0)
        expect(total).toBeLessThanOrEqual(bounds.totalMaxChars ?? 0)
        let place = -1
        for (const { name, content, originalLength, truncated } of cut) {
          place = given.findIndex(
            (candidate, index) =>
              index > place &&
              candidate.name === name &&
              candidate.content.length === originalLength,
          )
          expect(place).toBeGreaterThanOrEqual(0)
          expect(truncated || given.some((candidate) => candidate.content === content)).toBe(true)
          expect(content).not.toBe('')
        }
      }),
    )
  })

  it('splits no surrogate pair, and has a marker as a whole or not at all', () => {
    fc.assert(
      fc.property(files, limits, (given, bounds) => {
        for (const { name, content } of truncateContextFiles(given, bounds)) {
          expect(() => encodeURIComponent(content)).not.toThrow()
          const began = content.includes('[...truncated')
          const whole = new RegExp(
            `\\n\\n\\[\\.\\.\\.truncated, read ${name.replace('.', '\\.')} for full content\\.\\.\\.\\]\\n… ${name.replace('.', '\\.')}: kept \\d+\\+\\d+ chars of \\d+ …\\n\\n`,
          )
          expect(began).toBe(whole.test(content))
        }
      }),
    )
  })

  it.each([1, 2, 3])('shows nothing of a marker in a budget of %i', (totalMaxChars) => {
    const bounds = { maxCharsPerFile: 1, totalMaxChars, minFileBudget: 1 }
    expect(truncateContextFiles([{ name: 'A.md', content: 'abcdef' }], bounds)).toEqual([])
  })

  it('cuts between no two halves of a pair, though the text holds halves that stand alone', () => {
    const units = fc.array(
      fc.constantFrom('\uD83D', '\uDC4D', '👍', '\u0301', 'a', '\n', '\u200D'),
      { minLength: 1, maxLength: 400 },
    )
    fc.assert(
      fc.property(units, limits, (given, bounds) => {
        const content = given.join('')
        const [cut] = truncateContextFiles([{ name: 'A.md', content }], bounds)
        if (!cut?.truncated) return
        const [head = '', tail = ''] = cut.content.split(/\n\n\[[^]*? …\n\n/)
        const beginning = head.replace(/…$/, '')
        const end = tail.endsWith('…') ? '' : tail
        expect([content.startsWith(beginning), content.endsWith(end)]).toEqual([true, true])
        const cuts = [beginning.length, content.length - end.length]
        expect(cuts.some((place) => isPair(content, place))).toBe(false)
      }),
    )
  })

  it('keeps a combining sequence together where it cuts', () => {
    const content = 'e\u0301'.repeat(100)
    for (let maxCharsPerFile = 20; maxCharsPerFile < 40; maxCharsPerFile += 1) {
      const [cut] = truncateContextFiles([{ name: 'A.md', content }], { maxCharsPerFile })
      const [head = '', tail = ''] = cut?.content.split(/\n\n\[[^]*…\n\n/) ?? []
      expect([head.length % 2, tail.length % 2]).toEqual([0, 0])
    }
  })
})
