import { sql } from 'drizzle-orm'
import { integer, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { loam, moment, userId } from './loam.js'

export const contextFiles = loam.table(
  'context_files',
  {
    tenantId: uuid('tenant_id').notNull(),
    agentId: uuid('agent_id').notNull(),
    userId: userId(),
    name: text('name').notNull(),
    content: text('content').notNull(),
    version: integer('version').notNull().default(1),
    createdAt: moment('created_at')
      .notNull()
      .default(sql`clock_timestamp()`),
    updatedAt: moment('updated_at')
      .notNull()
      .default(sql`clock_timestamp()`),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.agentId, table.userId, table.name] })],
)
