import type { Run, RunStatus } from '@loam/storage'
import { sql } from 'drizzle-orm'
import { integer, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { json, loam, moment, userId } from './loam.js'

export const runs = loam.table(
  'runs',
  {
    tenantId: uuid('tenant_id').notNull(),
    id: uuid('id').notNull(),
    sessionId: uuid('session_id').notNull(),
    userId: userId(),
    runId: text('run_id').notNull(),
    status: text('status').$type<RunStatus>().notNull(),
    compactionSummary: text('compaction_summary'),
    usage: json('usage').$type<NonNullable<Run['usage']>>(),
    lastSequence: integer('last_sequence').notNull(),
    eventId: uuid('event_id').notNull(),
    createdAt: moment('created_at')
      .notNull()
      .default(sql`clock_timestamp()`),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.id] })],
)
