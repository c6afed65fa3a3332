import type { Access } from '@loam/storage'
import type { Database } from '../database.js'

/** What a store works with: the transaction, and whose rows it may touch. */
export interface StoreContext {
  readonly database: Database
  readonly access: Access
  /** Most chunks that are searched without an index; see `OpenStorageOptions`. */
  readonly exactVectorSearchLimit: number
}
