import type { EventType } from '@loam/core'
import { primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { json, loam, moment, userId } from './loam.js'

export const events = loam.table(
  'events',
  {
    tenantId: uuid('tenant_id').notNull(),
    id: uuid('id').notNull(),
    agentId: uuid('agent_id').notNull(),
    userId: userId(),
    /** Of the events that name one, so that they go with their session. */
    sessionId: uuid('session_id'),
    type: text('type').$type<EventType>().notNull(),
    payload: json('payload').$type<Record<string, unknown>>().notNull(),
    occurredAt: moment('occurred_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.id] })],
)
