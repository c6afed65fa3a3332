import type { SessionKind } from '@loam/storage'
import { sql } from 'drizzle-orm'
import { integer, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { json, loam, moment, userId } from './loam.js'

export const sessions = loam.table(
  'sessions',
  {
    tenantId: uuid('tenant_id').notNull(),
    id: uuid('id').notNull(),
    agentId: uuid('agent_id').notNull(),
    userId: userId(),
    key: text('key').notNull(),
    kind: text('kind').$type<SessionKind>().notNull(),
    channel: text('channel'),
    timezone: text('timezone'),
    contextWindow: integer('context_window'),
    title: text('title'),
    metadata: json('metadata').$type<Record<string, unknown>>().notNull().default({}),
    lastSequence: integer('last_sequence').notNull().default(0),
    coveredSequence: integer('covered_sequence').notNull().default(0),
    forgottenCount: integer('forgotten_count').notNull().default(0),
    createdAt: moment('created_at')
      .notNull()
      .default(sql`clock_timestamp()`),
    updatedAt: moment('updated_at')
      .notNull()
      .default(sql`clock_timestamp()`),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.id] })],
)
