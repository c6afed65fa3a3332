import { integer, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { bytes, loam } from './loam.js'

export const skillFiles = loam.table(
  'skill_files',
  {
    tenantId: uuid('tenant_id').notNull(),
    skillId: uuid('skill_id').notNull(),
    version: integer('version').notNull(),
    path: text('path').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    content: bytes('content').notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.skillId, table.version, table.path] })],
)
