import { customType, pgSchema, text, timestamp } from 'drizzle-orm/pg-core'

/** The Postgres schema that holds all tables. */
export const loam = pgSchema('loam')

/**
 * A `jsonb` column. Drizzle's own parses a string a second time that the driver has parsed already, so that the text `"12"`
 * comes back as a number.
 */
export const json = customType<{ data: unknown; driverData: unknown }>({
  dataType: () => 'jsonb',
  toDriver: (value) => JSON.stringify(value),
  fromDriver: (value) => value,
})

/** A pgvector column without a fixed length; see `embedding_spaces`. */
export const vector = customType<{ data: string }>({ dataType: () => 'vector' })

/** Bytes as they are. */
export const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })

/** A moment to the millisecond, which is what a `Date` and a cursor can hold. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** The owner of a row; `''` for what all users of an agent share. */
export const userId = () => text('user_id').notNull().default('')
