import { sql, type SQL } from 'drizzle-orm'

/** A JSON value as one parameter. The cast through text keeps both drivers from encoding it themselves. */
export function jsonValue(value: unknown): SQL {
  return sql`${JSON.stringify(value)}::text::jsonb`
}

/** An array of texts as one parameter. */
export function textArray(values: readonly string[]): SQL {
  const literal = values.map((value) => `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`)
  return sql`${`{${literal.join(',')}}`}::text::text[]`
}

/** An array of UUIDs as one parameter. Pass only what `isUuid` accepts. */
export function uuidArray(values: readonly string[]): SQL {
  return sql`${`{${values.join(',')}}`}::text::uuid[]`
}

/** An array of truth values as one parameter. */
export function booleanArray(values: readonly boolean[]): SQL {
  return sql`${`{${values.join(',')}}`}::text::boolean[]`
}

/** An array of whole numbers as one parameter. */
export function bigintArray(values: readonly number[]): SQL {
  return sql`${`{${values.join(',')}}`}::text::bigint[]`
}

/** A moment as a parameter of a statement that drizzle's builder did not make. */
export function momentValue(date: Date): SQL {
  return sql`${date.toISOString()}::text::timestamptz`
}

/** One moment for all columns of a statement: what is new was changed when it was made. */
export const STATEMENT_BEGAN = sql`statement_timestamp()`

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether Postgres takes the text for a UUID. What is none names no row, so that looking for it finds nothing. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/**
 * The least text that sorts after every text with this beginning, by code point; undefined when there is none.
 * A range uses an index under row-level security, and `like` does not.
 */
export function afterPrefix(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0)
  while (points.length > 0) {
    const last = points.pop() ?? 0
    if (last === 0x10ffff) continue
    // The code points of surrogates stand for no character.
    return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1)
  }
  return undefined
}
