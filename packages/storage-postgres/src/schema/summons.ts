import type { Summon, SummonKind, SummonState, SummonedFile } from '@loam/storage'
import { integer, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { json, loam, moment } from './loam.js'

export const summons = loam.table(
  'summons',
  {
    tenantId: uuid('tenant_id').notNull(),
    agentId: uuid('agent_id').notNull(),
    generation: integer('generation').notNull(),
    kind: text('kind').$type<SummonKind>().notNull(),
    state: text('state').$type<SummonState>().notNull(),
    instruction: text('instruction').notNull(),
    files: json('files').$type<readonly SummonedFile[]>().notNull().default([]),
    error: json('error').$type<NonNullable<Summon['error']>>(),
    startedAt: moment('started_at').notNull(),
    finishedAt: moment('finished_at'),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.agentId] })],
)
