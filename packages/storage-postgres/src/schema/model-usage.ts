import { bigint, date, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { loam } from './loam.js'

export const modelUsage = loam.table(
  'model_usage',
  {
    tenantId: uuid('tenant_id').notNull(),
    day: date('day').notNull(),
    calls: bigint('calls', { mode: 'number' }).notNull(),
    chargedTokens: bigint('charged_tokens', { mode: 'number' }).notNull(),
    costNanoUsd: bigint('cost_nano_usd', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.day] })],
)
