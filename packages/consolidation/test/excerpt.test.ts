import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { excerptOf } from '../src/excerpt.js'
import { message } from './conversation.js'

describe('excerptOf', () => {
  it.each([
    ['was injected', message(1, 'You remember that Ann likes tea.', { origin: 'injected' })],
    ['has the origin system', message(1, 'Heartbeat', { origin: 'system' })],
    ['has the role system', message(1, 'You are helpful.', { role: 'system' })],
    ['has no content', message(1, null)],
    ['has no words', message(1, ' 👍 \n ... ')],
  ])('learns nothing from a message that %s', (_what, given) => {
    expect(excerptOf(given)).toBeUndefined()
  })

  it('keeps the beginning and the end of a long message', () => {
    const excerpt = excerptOf(
      message(1, `Opening words. ${'filler '.repeat(3_000)}We take the blue one.`),
    )
    expect(excerpt?.text).toMatch(/^Opening words\. .*\[…\].*We take the blue one\.$/)
    expect(excerpt?.text.length).toBeLessThanOrEqual(500)
  })

  it('reads captions and names of pictures and files', () => {
    const excerpt = excerptOf(
      message(1, [
        { type: 'text', text: 'Look' },
        { type: 'image', url: 'https://example.com/a.png', caption: 'a red bicycle' },
        { type: 'file', name: 'plan.pdf', caption: 'the plan' },
        { type: 'image' },
      ]),
    )
    expect(excerpt?.text).toBe('Look\na red bicycle\nplan.pdf: the plan')
  })

  it.each([
    [{ name: 'Ann\nLee', senderId: 'u1' }, 'Ann Lee'],
    [{ senderId: 'u1' }, 'u1'],
    [{}, 'user'],
    [{ name: ' ' }, 'user'],
  ])('names the speaker of %j %j', (more, speaker) => {
    expect(excerptOf(message(1, 'hello', more))?.speaker).toBe(speaker)
  })

  it('counts words of scripts without blanks', () => {
    expect(excerptOf(message(1, '我们明天去北京看朋友'))?.wordCount).toBeGreaterThanOrEqual(4)
  })

  it('leaves no part of a secret that a cut would have split', () => {
    const key = `sk-proj-${'A1b2C3d4'.repeat(8)}`
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 700 }),
        fc.integer({ min: 0, max: 700 }),
        (before, after) => {
          const text = `${'x '.repeat(before)}key ${key} ${'y '.repeat(after)}`
          expect(excerptOf(message(1, text))?.text).not.toContain('C3d4A1b2')
        },
      ),
      { numRuns: 50 },
    )
  })

  it('is never longer than 500 characters and well-formed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 9_000, size: 'max' }), (text) => {
        const excerpt = excerptOf(message(1, text))
        expect(excerpt?.text.length ?? 0).toBeLessThanOrEqual(500)
        expect((excerpt?.text ?? '').search(/[\uD800-\uDFFF]/u)).toBe(-1)
      }),
      { numRuns: 50 },
    )
  })
})
