import type { EpisodeMethod } from '@loam/storage'
import { integer, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { loam, moment, userId } from './loam.js'

export const episodes = loam.table(
  'episodes',
  {
    tenantId: uuid('tenant_id').notNull(),
    id: uuid('id').notNull(),
    agentId: uuid('agent_id').notNull(),
    userId: userId(),
    sessionId: uuid('session_id').notNull(),
    firstSequence: integer('first_sequence').notNull(),
    lastSequence: integer('last_sequence').notNull(),
    summary: text('summary').notNull(),
    abstract: text('abstract').notNull(),
    topics: text('topics').array().notNull().default([]),
    method: text('method').$type<EpisodeMethod>().notNull(),
    messageCount: integer('message_count').notNull(),
    startedAt: moment('started_at').notNull(),
    endedAt: moment('ended_at').notNull(),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at'),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.id] })],
)
