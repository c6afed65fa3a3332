import type { ModelCall, ModelCallOutcome } from '@loam/storage'
import { bigint, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { loam, moment, userId } from './loam.js'

export const modelCalls = loam.table(
  'model_calls',
  {
    tenantId: uuid('tenant_id').notNull(),
    id: uuid('id').notNull(),
    agentId: uuid('agent_id'),
    userId: userId(),
    task: text('task').notNull(),
    kind: text('kind').$type<ModelCall['kind']>().notNull(),
    provider: text('provider').notNull(),
    model: text('model').notNull(),
    runId: text('run_id'),
    jobId: text('job_id'),
    status: text('status')
      .$type<ModelCallOutcome['status'] | 'started'>()
      .notNull()
      .default('started'),
    inputTokens: bigint('input_tokens', { mode: 'number' }),
    outputTokens: bigint('output_tokens', { mode: 'number' }),
    /** What the call is charged: what was reserved for it, and in the end what it cost. */
    chargedTokens: bigint('charged_tokens', { mode: 'number' }).notNull().default(0),
    costNanoUsd: bigint('cost_nano_usd', { mode: 'number' }).notNull().default(0),
    errorCode: text('error_code'),
    startedAt: moment('started_at').notNull(),
    finishedAt: moment('finished_at'),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.id] })],
)
