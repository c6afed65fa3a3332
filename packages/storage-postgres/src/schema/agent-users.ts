import { sql } from 'drizzle-orm'
import { integer, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { loam, moment } from './loam.js'

export const agentUsers = loam.table(
  'agent_users',
  {
    tenantId: uuid('tenant_id').notNull(),
    agentId: uuid('agent_id').notNull(),
    userId: text('user_id').notNull(),
    turns: integer('turns').notNull().default(0),
    lastTurnId: text('last_turn_id'),
    onboardedAt: moment('onboarded_at'),
    createdAt: moment('created_at')
      .notNull()
      .default(sql`clock_timestamp()`),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.agentId, table.userId] })],
)
