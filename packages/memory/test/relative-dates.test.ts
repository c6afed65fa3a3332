import { describe, expect, it } from 'vitest'
import { relativeDateWords } from '../src/search/relative-dates.js'

const now = new Date('2026-03-01T02:30:00Z')

describe('relativeDateWords', () => {
  it.each<[string, string, readonly string[]]>([
    ['What did we say today?', 'UTC', ['2026 March 1']],
    ['What did we say yesterday?', 'UTC', ['2026 February 28']],
    ['What did we say yesterday?', 'America/New_York', ['2026 February 27']],
    ['What did we say today?', 'Asia/Tokyo', ['2026 March 1']],
    ['the day before yesterday', 'UTC', ['2026 February 27']],
    ['two days ago', 'UTC', ['2026 February 27']],
    ['A day ago', 'UTC', ['2026 February 28']],
    ['60 days ago', 'UTC', ['2025 December 31']],
    ['plans of last month', 'UTC', ['2026 February']],
    ['this month or this year', 'UTC', ['2026 March', '2026']],
    ['last year', 'UTC', ['2025']],
    ['yesterdays and todayish', 'UTC', []],
    ['What did Ann paint?', 'UTC', []],
  ])('reads %j in %s', (query, timezone, words) => {
    expect(relativeDateWords(query, now, timezone)).toEqual(words)
  })

  it('names the seven days before for last week', () => {
    const words = relativeDateWords('last week', now, 'UTC')
    expect(words).toHaveLength(7)
    expect(words[6]).toBe('2026 February 22')
  })

  it('finds the month before a month with 31 days', () => {
    const date = new Date('2026-03-31T12:00:00Z')
    expect(relativeDateWords('last month', date, 'UTC')).toEqual(['2026 February'])
  })
})
