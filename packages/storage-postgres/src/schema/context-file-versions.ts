import { sql } from 'drizzle-orm'
import { integer, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { loam, moment } from './loam.js'

export const contextFileVersions = loam.table(
  'context_file_versions',
  {
    tenantId: uuid('tenant_id').notNull(),
    agentId: uuid('agent_id').notNull(),
    userId: text('user_id').notNull(),
    name: text('name').notNull(),
    version: integer('version').notNull(),
    content: text('content').notNull(),
    replacedAt: moment('replaced_at')
      .notNull()
      .default(sql`clock_timestamp()`),
  },
  (table) => [
    primaryKey({
      columns: [table.tenantId, table.agentId, table.userId, table.name, table.version],
    }),
  ],
)
