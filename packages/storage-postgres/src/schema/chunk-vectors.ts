import { bigint, boolean, integer, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { loam, vector } from './loam.js'

export const chunkVectors = loam.table(
  'chunk_vectors',
  {
    tenantId: uuid('tenant_id').notNull(),
    chunkId: uuid('chunk_id').notNull(),
    spaceId: integer('space_id').notNull(),
    scopeId: bigint('scope_id', { mode: 'number' }).notNull(),
    dimensions: integer('dimensions').notNull(),
    isZero: boolean('is_zero').notNull(),
    embedding: vector('embedding').notNull(),
    revision: bigint('revision', { mode: 'number' }).notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.chunkId, table.spaceId] })],
)
