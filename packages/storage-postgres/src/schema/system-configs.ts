import { sql } from 'drizzle-orm'
import { primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { loam, moment } from './loam.js'

export const systemConfigs = loam.table(
  'system_configs',
  {
    tenantId: uuid('tenant_id').notNull(),
    key: text('key').notNull(),
    value: text('value').notNull(),
    updatedAt: moment('updated_at')
      .notNull()
      .default(sql`clock_timestamp()`),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.key] })],
)
