import type { ChunkSource } from '@loam/storage'
import { sql } from 'drizzle-orm'
import { bigint, integer, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { loam, moment, userId } from './loam.js'

export const chunks = loam.table(
  'chunks',
  {
    tenantId: uuid('tenant_id').notNull(),
    id: uuid('id').notNull(),
    scopeId: bigint('scope_id', { mode: 'number' }).notNull(),
    agentId: uuid('agent_id').notNull(),
    userId: userId(),
    documentId: uuid('document_id'),
    sessionId: uuid('session_id'),
    sequence: integer('sequence'),
    episodeId: uuid('episode_id'),
    source: text('source')
      .$type<ChunkSource>()
      .notNull()
      .generatedAlwaysAs(sql``),
    groupId: uuid('group_id')
      .notNull()
      .generatedAlwaysAs(sql``),
    position: integer('position').notNull(),
    part: integer('part').notNull(),
    text: text('text').notNull(),
    path: text('path'),
    startLine: integer('start_line'),
    endLine: integer('end_line'),
    speaker: text('speaker'),
    occurredAt: moment('occurred_at').notNull(),
    expiresAt: moment('expires_at'),
    terms: text('terms').array().notNull(),
    frequencies: integer('frequencies').array().notNull(),
    length: integer('length').notNull(),
    revision: bigint('revision', { mode: 'number' }).notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.id] })],
)
