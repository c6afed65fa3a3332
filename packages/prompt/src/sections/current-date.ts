import { lines, type SectionContext } from './section.js'

/** Date and weekday, without the time of day, which would change the prompt in every turn (spec 2.3). */
export function renderCurrentDate({ input }: SectionContext): string {
  if (input.time === undefined) return ''
  const { now, timezone } = input.time
  const formatter = timezone === undefined ? undefined : formatterOf(timezone)
  return lines(
    '## Current Date',
    formatter === undefined
      ? `${dateInUtc(now)} (UTC; the user's time zone is not known)`
      : `${dateBy(formatter, now)} (time zone of the user: ${timezone})`,
    'The time of day is not given here.',
  )
}

// Without Intl: a formatter takes longer to make than the rest of the prompt.
function dateInUtc(now: Date): string {
  return `${WEEKDAYS[now.getUTCDay()]}, ${now.toISOString().replace(/T.*/, '')}`
}

function dateBy(formatter: Intl.DateTimeFormat, now: Date): string {
  const parts = Object.fromEntries(
    formatter.formatToParts(now).map(({ type, value }) => [type, value]),
  )
  return `${parts['weekday']}, ${parts['year']}-${parts['month']}-${parts['day']}`
}

// The shape is checked as well as the name, since this text stands in the prompt.
const ZONE_NAME = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/

function formatterOf(timezone: string): Intl.DateTimeFormat | undefined {
  if (!ZONE_NAME.test(timezone)) return undefined
  const known = formatters.get(timezone)
  if (known !== undefined) return known
  const made = makeFormatter(timezone)
  if (made === undefined) return undefined
  if (formatters.size >= MAX_FORMATTERS) formatters.clear()
  formatters.set(timezone, made)
  return made
}

const formatters = new Map<string, Intl.DateTimeFormat>()
const MAX_FORMATTERS = 64

function makeFormatter(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      weekday: 'long',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    })
  } catch {
    return undefined
  }
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
