/** No answer puts a call off for longer; a date far away is a mistake. */
const LONGEST_DELAY_MS = 86_400_000

/**
 * How many milliseconds an answer asks to wait: by `retry-after-ms`, or by `Retry-After` in seconds or as a date
 * (RFC 9110, 10.2.3). At most a day.
 */
export function askedDelay(headers: Headers | undefined): number | undefined {
  const milliseconds = Number(headers?.get('retry-after-ms') ?? Number.NaN)
  if (milliseconds >= 0) return bounded(milliseconds)
  const value = headers?.get('retry-after')
  if (!value) return undefined
  if (/^\d+(?:\.\d+)?$/.test(value)) return bounded(Number(value) * 1000)
  // A date has the name of its month; what has none may be taken for a year by `Date.parse`.
  const delayMs = /[a-z]/i.test(value) ? Date.parse(value) - Date.now() : Number.NaN
  return Number.isNaN(delayMs) ? undefined : bounded(delayMs)
}

function bounded(delayMs: number): number {
  return Math.min(Math.max(0, Math.round(delayMs)), LONGEST_DELAY_MS)
}
