import { sql } from 'drizzle-orm'
import { boolean, integer, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { loam, moment } from './loam.js'

export const skillAgentGrants = loam.table(
  'skill_agent_grants',
  {
    tenantId: uuid('tenant_id').notNull(),
    skillId: uuid('skill_id').notNull(),
    agentId: uuid('agent_id').notNull(),
    pinnedVersion: integer('pinned_version'),
    canManage: boolean('can_manage').notNull().default(false),
    grantedBy: text('granted_by').notNull(),
    grantedAt: moment('granted_at')
      .notNull()
      .default(sql`clock_timestamp()`),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.skillId, table.agentId] })],
)
