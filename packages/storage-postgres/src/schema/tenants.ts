import { sql } from 'drizzle-orm'
import { text, uuid } from 'drizzle-orm/pg-core'
import { loam, moment } from './loam.js'

export const tenants = loam.table('tenants', {
  id: uuid('id').primaryKey(),
  slug: text('slug').notNull(),
  name: text('name').notNull(),
  createdAt: moment('created_at')
    .notNull()
    .default(sql`clock_timestamp()`),
})
