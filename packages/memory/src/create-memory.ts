import { generateId as generateUuid, silentLogger, systemClock } from '@loam/core'
import type { Clock, EmbeddingModel, GenerateId, Logger } from '@loam/core'
import type { Storage } from '@loam/storage'
import { createEmbeddingSpaceLookup } from './indexing/embedding-space.js'
import { DEFAULT_MEMORY_LIMITS, type MemoryLimits } from './limits.js'
import type { Memory } from './memory.js'
import { DEFAULT_RANKING_WEIGHTS, type RankingWeights } from './ranking/weights.js'
import { searchMemory } from './search/search.js'
import { embedMissing } from './writing/backfill.js'
import { appendDocument } from './writing/append-document.js'
import { deleteDocument, getDocument, listDocuments, putDocument } from './writing/documents.js'
import { prepareEpisode } from './writing/episodes.js'
import { storeMessages } from './writing/messages.js'

/** What a memory is made from. */
export interface MemoryOptions {
  readonly storage: Storage
  readonly embeddings: EmbeddingModel
  /** Default: the machine's. */
  readonly clock?: Clock | undefined
  /** Default: UUID version 7. */
  readonly generateId?: GenerateId | undefined
  /** Default: silent. */
  readonly logger?: Logger | undefined
  /** Default: `DEFAULT_MEMORY_LIMITS`, for each that is left out. */
  readonly limits?: Partial<MemoryLimits> | undefined
  /** For evaluations, which turn one signal off by 0. Default: `DEFAULT_RANKING_WEIGHTS`, and the vector weight that the embedding model declares. */
  readonly ranking?: Partial<RankingWeights> | undefined
}

/**
 * Makes the long-term memory of agents over a store and an embedding model.
 *
 * @example
 * ```ts
 * const memory = createMemory({ storage, embeddings })
 * await memory.putDocument(scope, { path: 'MEMORY.md', content: 'Alice drinks green tea.' })
 * const { results } = await memory.search(scope, { query: 'What does Alice drink?' })
 * ```
 */
export function createMemory(options: MemoryOptions): Memory {
  const { storage, embeddings } = options
  const dependencies = {
    storage,
    embeddings,
    spaces: createEmbeddingSpaceLookup(storage, embeddings),
    clock: options.clock ?? systemClock,
    generateId: options.generateId ?? generateUuid,
    logger: options.logger ?? silentLogger,
    limits: { ...DEFAULT_MEMORY_LIMITS, ...options.limits },
    ranking: {
      ...DEFAULT_RANKING_WEIGHTS,
      vector: embeddings.trust.vectorWeight,
      ...options.ranking,
    },
  }
  return {
    putDocument: (scope, document, { signal } = {}) =>
      putDocument(dependencies, scope, document, { signal }),
    appendDocument: (...input) => appendDocument(dependencies, ...input),
    getDocument: (...input) => getDocument(dependencies, ...input),
    listDocuments: (...input) => listDocuments(dependencies, ...input),
    deleteDocument: (...input) => deleteDocument(dependencies, ...input),
    storeMessages: (...input) => storeMessages(dependencies, ...input),
    search: (...input) => searchMemory(dependencies, ...input),
    prepareEpisode: (...input) => prepareEpisode(dependencies, ...input),
    embedMissing: (...input) => embedMissing(dependencies, ...input),
  }
}
