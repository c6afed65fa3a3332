import type { MessageOrigin, MessagePart, MessageRole, ToolCall } from '@loam/storage'
import { integer, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { json, loam, moment, userId } from './loam.js'

export const messages = loam.table(
  'messages',
  {
    tenantId: uuid('tenant_id').notNull(),
    sessionId: uuid('session_id').notNull(),
    sequence: integer('sequence').notNull(),
    id: text('id').notNull(),
    userId: userId(),
    role: text('role').$type<MessageRole>().notNull(),
    content: json('content').$type<string | readonly MessagePart[]>(),
    name: text('name'),
    senderId: text('sender_id'),
    toolCalls: json('tool_calls').$type<readonly ToolCall[]>(),
    toolCallId: text('tool_call_id'),
    origin: text('origin').$type<MessageOrigin>().notNull(),
    metadata: json('metadata').$type<Record<string, unknown>>(),
    digest: text('digest').notNull(),
    createdAt: moment('created_at').notNull(),
    forgottenAt: moment('forgotten_at'),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.sessionId, table.sequence] })],
)
