import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { abstractOf } from '../src/index.js'

describe('abstractOf', () => {
  it.each([
    [
      'the first sentence of twenty characters or more',
      'Hi. We decided to move billing to Stripe in May. More.',
      'We decided to move billing to Stripe in May.',
    ],
    ['a cut beginning where no sentence ends', 'a'.repeat(250), `${'a'.repeat(200)}...`],
    ['everything, where every sentence is short', 'Hi. Yes. No.', 'Hi. Yes. No.'],
    ['nothing of nothing', ' \n ', ''],
    ['exactly 200 characters whole', `${'a'.repeat(199)}.`, `${'a'.repeat(199)}.`],
    [
      'a version number inside its sentence',
      'Done. The team released v1. 2 of the library today! Then lunch.',
      'The team released v1. 2 of the library today!',
    ],
    [
      'an abbreviation inside its sentence',
      'They keep pets, e.g. a dog called Max. They live in Rome.',
      'They keep pets, e.g. a dog called Max.',
    ],
    [
      'Chinese full stops',
      '你好。我们决定在五月份把整个账单系统迁移到新的支付平台上去。还有别的事。',
      '我们决定在五月份把整个账单系统迁移到新的支付平台上去。',
    ],
    [
      'the text of a heading or an item',
      '# Move\n- We moved the billing to Stripe in May\n',
      'We moved the billing to Stripe in May',
    ],
  ])('returns %s', (_what, summary, expected) => {
    expect(abstractOf(summary)).toBe(expected)
  })

  it('is one line of at most 203 well-formed characters, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 600 }), (text) => {
        const abstract = abstractOf(text)
        expect(abstract.length).toBeLessThanOrEqual(203)
        expect(abstract).not.toMatch(/[\n\r]/)
        expect(abstract.search(/[\uD800-\uDFFF]/u)).toBe(-1)
      }),
    )
  })
})
