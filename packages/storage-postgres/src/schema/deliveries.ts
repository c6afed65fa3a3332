import type { DeliveryState } from '@loam/storage'
import { sql } from 'drizzle-orm'
import { integer, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { loam, moment, userId } from './loam.js'

export const deliveries = loam.table(
  'deliveries',
  {
    tenantId: uuid('tenant_id').notNull(),
    id: uuid('id').notNull(),
    eventId: uuid('event_id').notNull(),
    userId: userId(),
    consumer: text('consumer').notNull(),
    orderingKey: text('ordering_key').notNull(),
    state: text('state').$type<DeliveryState>().notNull().default('pending'),
    attempt: integer('attempt').notNull().default(0),
    tries: integer('tries').notNull().default(0),
    runAfter: moment('run_after').notNull(),
    leaseUntil: moment('lease_until'),
    lastError: text('last_error'),
    /** When it is to be sent, a lease's end included; null when it is done or dead. */
    dueAt: moment('due_at').generatedAlwaysAs(sql``),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.id] })],
)
