import { integer, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { bytes, loam } from './loam.js'

export const skillVectors = loam.table(
  'skill_vectors',
  {
    tenantId: uuid('tenant_id').notNull(),
    spaceId: integer('space_id').notNull(),
    textHash: text('text_hash').notNull(),
    embedding: bytes('embedding').notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.spaceId, table.textHash] })],
)
