import type { SkillVersion } from '@loam/storage'
import { sql } from 'drizzle-orm'
import { integer, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { json, loam, moment } from './loam.js'

export const skillVersions = loam.table(
  'skill_versions',
  {
    tenantId: uuid('tenant_id').notNull(),
    skillId: uuid('skill_id').notNull(),
    version: integer('version').notNull(),
    name: text('name').notNull(),
    description: text('description').notNull(),
    frontmatter: json('frontmatter').$type<SkillVersion['frontmatter']>().notNull(),
    warnings: json('warnings').$type<SkillVersion['warnings']>().notNull(),
    contentHash: text('content_hash').notNull(),
    fileCount: integer('file_count').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: moment('created_at')
      .notNull()
      .default(sql`clock_timestamp()`),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.skillId, table.version] })],
)
