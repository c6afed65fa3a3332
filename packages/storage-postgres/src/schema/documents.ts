import type { IndexState } from '@loam/storage'
import { sql } from 'drizzle-orm'
import { integer, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { json, loam, moment, userId } from './loam.js'

export const documents = loam.table(
  'documents',
  {
    tenantId: uuid('tenant_id').notNull(),
    id: uuid('id').notNull(),
    agentId: uuid('agent_id').notNull(),
    userId: userId(),
    path: text('path').notNull(),
    content: text('content').notNull(),
    contentLength: integer('content_length')
      .notNull()
      .generatedAlwaysAs(
        sql.raw(String.raw`length(regexp_replace(content, '[\U00010000-\U0010FFFF]', '..', 'g'))`),
      ),
    hash: text('hash').notNull(),
    metadata: json('metadata').$type<Record<string, unknown>>().notNull().default({}),
    indexState: text('index_state').$type<IndexState>().notNull(),
    indexedHash: text('indexed_hash'),
    indexSettings: text('index_settings'),
    createdAt: moment('created_at')
      .notNull()
      .default(sql`clock_timestamp()`),
    updatedAt: moment('updated_at')
      .notNull()
      .default(sql`clock_timestamp()`),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.id] })],
)
