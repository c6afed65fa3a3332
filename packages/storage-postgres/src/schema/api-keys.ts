import { sql } from 'drizzle-orm'
import { primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { loam, moment } from './loam.js'

export const apiKeys = loam.table(
  'api_keys',
  {
    tenantId: uuid('tenant_id').notNull(),
    id: uuid('id').notNull(),
    name: text('name').notNull(),
    hash: text('hash').notNull(),
    boundUserId: text('bound_user_id'),
    createdAt: moment('created_at')
      .notNull()
      .default(sql`clock_timestamp()`),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.id] })],
)
