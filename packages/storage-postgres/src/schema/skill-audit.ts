import type { SkillAction } from '@loam/storage'
import { sql } from 'drizzle-orm'
import { primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { json, loam, moment } from './loam.js'

export const skillAudit = loam.table(
  'skill_audit',
  {
    tenantId: uuid('tenant_id').notNull(),
    id: uuid('id').notNull(),
    slug: text('slug').notNull(),
    skillId: uuid('skill_id'),
    action: text('action').$type<SkillAction>().notNull(),
    actor: text('actor').notNull(),
    details: json('details').$type<Readonly<Record<string, unknown>>>().notNull(),
    at: moment('at')
      .notNull()
      .default(sql`clock_timestamp()`),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.id] })],
)
