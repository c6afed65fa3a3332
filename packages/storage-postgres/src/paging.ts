import { InvalidInputError, isStorableText } from '@loam/core'
import type { Access, Page } from '@loam/storage'
import { sql, type AnyColumn, type SQL } from 'drizzle-orm'
import { isUuid } from './sql-values.js'

/** @throws InvalidInputError when a page of that size is not to be had. */
export function checkLimit(limit: number, most: number): void {
  if (Number.isInteger(limit) && limit >= 1 && limit <= most) return
  throw new InvalidInputError({
    message: `A page cannot have ${limit} items. Ask for 1 to ${most}.`,
    details: { limit, most },
  })
}

/** Makes a page from the items found, one more than were asked for if there is a next page. */
export function toPage<Item>(
  found: readonly Item[],
  limit: number,
  cursorOf: (item: Item) => readonly unknown[],
): Page<Item> {
  const items = found.slice(0, limit)
  const last = items.at(-1)
  if (found.length <= limit || last === undefined) return { items }
  const nextCursor = Buffer.from(JSON.stringify(cursorOf(last))).toString('base64url')
  return { items, nextCursor }
}

/** What a cursor says, if `accepts` recognises it. */
export function readCursor<Values extends readonly unknown[]>(
  cursor: string | undefined,
  accepts: (values: readonly unknown[]) => Values | undefined,
): Values | undefined {
  if (cursor === undefined) return undefined
  const parsed = parse(cursor)
  const values = parsed.every(isComparable) ? accepts(parsed) : undefined
  if (values) return values
  throw new InvalidInputError({
    message: 'The cursor is not one that this list returned. Leave it out to start again.',
    issues: [{ path: 'cursor', message: 'is not a cursor of this list' }],
  })
}

/** The place of a row in a list that is ordered by a moment and an id. */
export type MomentCursor = readonly [moment: string, id: string]

/** Accepts a `MomentCursor`. */
export function asMomentCursor(values: readonly unknown[]): MomentCursor | undefined {
  const [moment, id] = values
  const fits =
    typeof moment === 'string' && isMoment(moment) && typeof id === 'string' && isUuid(id)
  return fits ? [moment, id] : undefined
}

/** The rows that come after the cursor in a list that is newest first. */
export function before(
  moment: AnyColumn,
  id: AnyColumn,
  cursor: MomentCursor | undefined,
): SQL | undefined {
  return (
    cursor && sql`(${moment}, ${id}) < (${cursor[0]}::text::timestamptz, ${cursor[1]}::text::uuid)`
  )
}

/**
 * The owners whose rows a unit of work sees; undefined when it sees every user's. Listing each one's rows by itself and merging
 * them uses the index, where row-level security alone would read past the rows of all other users.
 */
export function visibleOwners(access: Access): readonly string[] | undefined {
  if (access.everyUser) return undefined
  return access.userId === '' ? [''] : ['', access.userId]
}

const ISO_MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const MAX_INTEGER = 2 ** 31 - 1

/** Whether there is such a moment. Postgres has no year 0. */
function isMoment(text: string): boolean {
  if (!ISO_MOMENT.test(text) || text.startsWith('0000')) return false
  const date = new Date(text)
  return !Number.isNaN(date.getTime()) && date.toISOString() === text
}

/** Whether Postgres can compare a column with the value: a text that could be stored, or what fits into an `integer`. */
function isComparable(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value)
  return typeof value === 'number' && Math.abs(value) <= MAX_INTEGER
}

function parse(cursor: string): readonly unknown[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(values) ? values : []
  } catch {
    return []
  }
}
