import type { Access, EmbeddingSpace } from '@loam/storage'
import type { SQL } from 'drizzle-orm'
import type { Database, StatementGate } from '../database.js'
import type { WarmScopes } from './warm-scopes.js'

/** What a store works with: the transaction, and whose rows it may touch. */
export interface StoreContext {
  readonly database: Database
  /** Counts the statements of the transaction. */
  readonly gate: Pick<StatementGate, 'count'>
  readonly access: Access
  /** Most chunks that are searched without an index; see `OpenStorageOptions`. */
  readonly exactVectorSearchLimit: number
  /** Vectors as one parameter; see `Engine`. */
  readonly vectorArray: (vectors: readonly (readonly number[])[]) => Promise<SQL>
  /** Is told the number of an erasure, which counts once the transaction has ended. */
  readonly onErased: (number: number) => void
  /** Embedding spaces that were looked up. */
  readonly spaces: Map<number, EmbeddingSpace>
  /** Scopes that are in memory. */
  readonly warmScopes: WarmScopes
}
