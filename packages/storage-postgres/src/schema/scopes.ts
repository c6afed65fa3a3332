import { bigint, integer, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { loam, userId } from './loam.js'

export const scopes = loam.table(
  'scopes',
  {
    tenantId: uuid('tenant_id').notNull(),
    scopeId: bigint('scope_id', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    agentId: uuid('agent_id').notNull(),
    userId: userId(),
    chunkCount: integer('chunk_count').notNull().default(0),
    termCount: bigint('term_count', { mode: 'number' }).notNull().default(0),
    sessionCount: integer('session_count').notNull().default(0),
    sessionTermCount: bigint('session_term_count', { mode: 'number' }).notNull().default(0),
    revision: bigint('revision', { mode: 'number' }).notNull().default(0),
    removedRevision: bigint('removed_revision', { mode: 'number' }).notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.scopeId] })],
)
