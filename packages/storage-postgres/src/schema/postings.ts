import { bigint, integer, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { loam } from './loam.js'

/** Written by triggers on `chunks` alone. */
export const postings = loam.table(
  'postings',
  {
    tenantId: uuid('tenant_id').notNull(),
    chunkId: uuid('chunk_id').notNull(),
    scopeId: bigint('scope_id', { mode: 'number' }).notNull(),
    frequency: integer('frequency').notNull(),
    length: integer('length').notNull(),
    term: text('term').notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.scopeId, table.term, table.chunkId] })],
)
