import { sql } from 'drizzle-orm'
import { bigint, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { loam, moment } from './loam.js'

export const erasures = loam.table(
  'erasures',
  {
    tenantId: uuid('tenant_id').notNull(),
    key: bigint('key', { mode: 'bigint' }).notNull(),
    number: bigint('number', { mode: 'number' }).notNull(),
    erasedAt: moment('erased_at')
      .notNull()
      .default(sql`clock_timestamp()`),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.key] })],
)
