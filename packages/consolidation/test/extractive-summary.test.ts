import { describe, expect, it } from 'vitest'
import { excerptOf } from '../src/excerpt.js'
import { extractiveSummary } from '../src/extractive-summary.js'
import { message } from './conversation.js'

function summaryOf(contents: readonly string[]) {
  const excerpts = contents.flatMap((content, index) => {
    const excerpt = excerptOf(message(index + 1, content, index % 2 === 0 ? { name: 'Ann' } : {}))
    return excerpt ? [excerpt] : []
  })
  return extractiveSummary(excerpts)
}

describe('extractiveSummary', () => {
  it('keeps the sentences of a short conversation in order, with who said them', () => {
    const { summary } = summaryOf([
      'My dog Rex turned four in March.',
      'Happy birthday to Rex!',
      'We bought him a blue leash in Lisbon. It cost 20 euros.',
    ])
    expect(summary).toBe(
      'Ann: My dog Rex turned four in March.\nassistant: Happy birthday to Rex!\nAnn: We bought him a blue leash in Lisbon. It cost 20 euros.',
    )
  })

  it('chooses the facts out of a long one, at most 1,600 characters', () => {
    const small: string[] = Array.from({ length: 120 }, (_, index) =>
      index % 2 === 0
        ? 'Well, yes, I see what you mean.'
        : 'Oh yes, I do see what you mean as well.',
    )
    small[40] = 'We decided to move billing from Braintree to Stripe on 12 May.'
    small[90] = 'The venue for the wedding is the old mill in Bruges.'
    const { summary, abstract } = summaryOf(small)
    expect(summary).toContain('Braintree to Stripe on 12 May')
    expect(summary).toContain('old mill in Bruges')
    expect(summary.indexOf('Stripe')).toBeLessThan(summary.indexOf('Bruges'))
    expect(summary.length).toBeLessThanOrEqual(1_600)
    expect(abstract).toMatch(/^Ann: .*(Stripe|Bruges)/)
  })

  it('still says something when every word is a stop word', () => {
    expect(summaryOf(['I am. You are. We were.', 'And so is it.']).summary).toContain('I am.')
  })

  it('leaves out what tools say', () => {
    const tool = excerptOf(message(2, 'Raw tool output 42.', { role: 'tool' }))!
    expect(extractiveSummary([excerptOf(message(1, 'Run it.'))!, tool]).summary).toBe(
      'user: Run it.',
    )
  })

  it('summarises Chinese', () => {
    expect(summaryOf(['你好。我们决定五月迁移到新的支付平台。', '好的。']).summary).toContain(
      '支付平台',
    )
  })
})
