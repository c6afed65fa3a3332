import { sql } from 'drizzle-orm'
import { boolean, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { loam, moment } from './loam.js'

export const skillUserGrants = loam.table(
  'skill_user_grants',
  {
    tenantId: uuid('tenant_id').notNull(),
    skillId: uuid('skill_id').notNull(),
    userId: text('user_id').notNull(),
    canManage: boolean('can_manage').notNull().default(false),
    grantedBy: text('granted_by').notNull(),
    grantedAt: moment('granted_at')
      .notNull()
      .default(sql`clock_timestamp()`),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.skillId, table.userId] })],
)
