import { BadRecord } from './import-record.js'

/** From this number on a time counts milliseconds: as seconds it would lie beyond the year 5000. */
const MILLISECONDS_FROM = 1e11

/**
 * Reads ISO 8601 text or a number of seconds or milliseconds since 1970 as ISO 8601; undefined for undefined and null.
 *
 * @throws BadRecord
 */
export function readTime(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  const time =
    typeof value === 'number'
      ? new Date(value >= MILLISECONDS_FROM ? value : value * 1000)
      : new Date(typeof value === 'string' ? value : Number.NaN)
  if (Number.isNaN(time.getTime())) {
    throw new BadRecord(
      `has the time ${JSON.stringify(value)}; write ISO 8601, such as 2026-11-30T09:00:00Z`,
    )
  }
  return time.toISOString()
}
