import { boolean, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { loam } from './loam.js'

export const skillSwitches = loam.table(
  'skill_switches',
  {
    tenantId: uuid('tenant_id').notNull(),
    slug: text('slug').notNull(),
    enabled: boolean('enabled').notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.slug] })],
)
