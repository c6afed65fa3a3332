/**
 * A day in words, such as `2023 May 8`, in the given IANA zone. It is found by, not shown (spec 09, "Found to help").
 */
export function calendarWords(date: Date, timezone = 'UTC'): string {
  const parts = new Map(
    formatter(timezone)
      .formatToParts(date)
      .map(({ type, value }) => [type, value]),
  )
  return `${parts.get('year')} ${parts.get('month')} ${parts.get('day')}`
}

const MAX_FORMATTERS = 1000
const formatters = new Map<string, Intl.DateTimeFormat>()

/** Making a formatter costs far more than using it. */
function formatter(timezone: string): Intl.DateTimeFormat {
  const known = formatters.get(timezone)
  if (known !== undefined) return known
  // A name can be spelled in any case, so that callers could make ever more.
  if (formatters.size >= MAX_FORMATTERS) formatters.clear()
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    year: 'numeric',
    month: 'long',
    day: 'numeric',
  })
  formatters.set(timezone, made)
  return made
}
