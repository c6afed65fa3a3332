import { calendarWords } from '../indexing/calendar-words.js'

const NUMBERS = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
]
const DAYS_AGO = new RegExp(`\\b(\\d{1,3}|a|${NUMBERS.join('|')}) days? ago\\b`, 'gi')

/**
 * The days, months and years that English words like "yesterday", "two days ago", "last week", "last month" or "this year" mean at `now` in an
 * IANA zone, in the words under which messages are indexed; so "what did we say yesterday" finds what was said then.
 *
 * They only add words to a query: nothing is left out because of its date.
 */
export function relativeDateWords(query: string, now: Date, timezone: string): readonly string[] {
  const words: string[] = []
  const day = (daysBack: number) => calendarWords(calendarDay(now, timezone, { daysBack }))
  if (/\btoday\b/i.test(query)) words.push(day(0))
  if (/\bday before yesterday\b/i.test(query)) words.push(day(2))
  else if (/\byesterday\b/i.test(query)) words.push(day(1))
  for (const [, count = ''] of query.matchAll(DAYS_AGO)) words.push(day(numberOf(count)))
  if (/\blast week\b/i.test(query)) for (let back = 1; back <= 7; back += 1) words.push(day(back))
  for (const [, which = '', unit = ''] of query.matchAll(/\b(this|last) (month|year)\b/gi)) {
    const back = which.toLowerCase() === 'last' ? 1 : 0
    const isYear = unit.toLowerCase() === 'year'
    const monthsBack = isYear ? 12 * back : back
    const date = calendarWords(calendarDay(now, timezone, { monthsBack }))
    words.push(
      date
        .split(' ')
        .slice(0, isYear ? 1 : 2)
        .join(' '),
    )
  }
  return words
}

/** Noon UTC of the day that it is in the zone, so that neither zones nor summer time move it afterwards. */
function calendarDay(
  now: Date,
  timezone: string,
  { daysBack = 0, monthsBack = 0 }: { readonly daysBack?: number; readonly monthsBack?: number },
): Date {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: timezone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  }).formatToParts(now)
  const read = (type: string) => Number(parts.find((part) => part.type === type)?.value)
  // The first of a month, since the last month may have no 31st.
  const dayOfMonth = monthsBack > 0 ? 1 : read('day') - daysBack
  return new Date(Date.UTC(read('year'), read('month') - 1 - monthsBack, dayOfMonth, 12))
}

function numberOf(count: string): number {
  const word = count.toLowerCase()
  if (word === 'a') return 1
  const index = NUMBERS.indexOf(word)
  return index === -1 ? Number(word) : index
}
