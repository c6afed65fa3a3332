import { bigint, uuid } from 'drizzle-orm/pg-core'
import { loam } from './loam.js'

export const skillRevisions = loam.table('skill_revisions', {
  tenantId: uuid('tenant_id').primaryKey(),
  revision: bigint('revision', { mode: 'number' }).notNull(),
})
