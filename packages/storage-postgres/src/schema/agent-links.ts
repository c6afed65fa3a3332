import { sql } from 'drizzle-orm'
import { primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { loam, moment } from './loam.js'

export const agentLinks = loam.table(
  'agent_links',
  {
    tenantId: uuid('tenant_id').notNull(),
    fromAgentId: uuid('from_agent_id').notNull(),
    toAgentId: uuid('to_agent_id').notNull(),
    description: text('description'),
    createdAt: moment('created_at')
      .notNull()
      .default(sql`clock_timestamp()`),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.fromAgentId, table.toAgentId] })],
)
