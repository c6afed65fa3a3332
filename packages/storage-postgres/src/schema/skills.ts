import type { SkillStatus, SkillVisibility } from '@loam/storage'
import { sql } from 'drizzle-orm'
import { integer, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { loam, moment } from './loam.js'

export const skills = loam.table(
  'skills',
  {
    tenantId: uuid('tenant_id').notNull(),
    id: uuid('id').notNull(),
    slug: text('slug').notNull(),
    visibility: text('visibility').$type<SkillVisibility>().notNull(),
    status: text('status').$type<SkillStatus>().notNull().default('active'),
    ownerUserId: text('owner_user_id').notNull().default(''),
    ownerAgentId: uuid('owner_agent_id'),
    version: integer('version').notNull().default(0),
    createdAt: moment('created_at')
      .notNull()
      .default(sql`clock_timestamp()`),
    updatedAt: moment('updated_at')
      .notNull()
      .default(sql`clock_timestamp()`),
    deletedAt: moment('deleted_at'),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.id] })],
)
