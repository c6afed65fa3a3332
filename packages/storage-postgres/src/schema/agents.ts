import type { AgentStatus, AgentType } from '@loam/storage'
import { sql } from 'drizzle-orm'
import { primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { json, loam, moment } from './loam.js'

export const agents = loam.table(
  'agents',
  {
    tenantId: uuid('tenant_id').notNull(),
    id: uuid('id').notNull(),
    key: text('key').notNull(),
    type: text('type').$type<AgentType>().notNull(),
    displayName: text('display_name'),
    description: text('description'),
    status: text('status').$type<AgentStatus>().notNull().default('active'),
    expertise: text('expertise'),
    settings: json('settings').$type<Record<string, unknown>>().notNull().default({}),
    createdAt: moment('created_at')
      .notNull()
      .default(sql`clock_timestamp()`),
    updatedAt: moment('updated_at')
      .notNull()
      .default(sql`clock_timestamp()`),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.id] })],
)
