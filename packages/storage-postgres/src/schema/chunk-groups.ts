import type { ChunkSource } from '@loam/storage'
import { bigint, integer, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { loam } from './loam.js'

/** Written by triggers on `chunks` alone. */
export const chunkGroups = loam.table(
  'chunk_groups',
  {
    tenantId: uuid('tenant_id').notNull(),
    scopeId: bigint('scope_id', { mode: 'number' }).notNull(),
    groupId: uuid('group_id').notNull(),
    source: text('source').$type<ChunkSource>().notNull(),
    chunkCount: integer('chunk_count').notNull(),
    termCount: bigint('term_count', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.scopeId, table.groupId] })],
)
