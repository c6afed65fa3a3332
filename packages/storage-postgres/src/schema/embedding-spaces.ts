import { integer, text } from 'drizzle-orm/pg-core'
import { loam } from './loam.js'

export const embeddingSpaces = loam.table('embedding_spaces', {
  id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
  provider: text('provider').notNull(),
  model: text('model').notNull(),
  dimensions: integer('dimensions').notNull(),
})
