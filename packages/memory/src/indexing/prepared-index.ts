import type { Clock, EmbeddingModel, GenerateId, Logger, ModelCallContext } from '@loam/core'
import { LoamError, VectorDimensionError } from '@loam/core'
import type { NewChunk, Stores } from '@loam/storage'
import type { PreparedIndex } from '../memory.js'
import { embedInBatches } from './embed-in-batches.js'
import type { EmbeddingSpaceLookup } from './embedding-space.js'
import { embeddableText } from './message-text.js'

/** Consumer of `chunks.unembedded`: it gives vectors to chunks that lack them. */
export const EMBEDDING_CONSUMER = 'chunks.unembedded.embedding'

/** What indexing works with. */
export interface IndexingDependencies {
  readonly embeddings: EmbeddingModel
  readonly spaces: EmbeddingSpaceLookup
  readonly clock: Clock
  readonly generateId: GenerateId
  readonly logger: Logger
}

/** The vectors of some texts, in order; undefined when the model failed. */
export type PreparedVectors = readonly (readonly number[])[] | undefined

/**
 * Embeds the texts of chunks, outside any transaction. A model that fails costs the chunks their vectors for now, not their words.
 * Passes only an abort through.
 */
export async function prepareVectors(
  texts: readonly string[],
  context: ModelCallContext,
  { embeddings, logger }: Pick<IndexingDependencies, 'embeddings' | 'logger'>,
): Promise<PreparedVectors> {
  try {
    return await embedInBatches(texts.map(embeddableText), context, embeddings)
  } catch (error) {
    context.signal?.throwIfAborted()
    const fields = {
      code: LoamError.isInstance(error) ? error.code : 'unknown',
      model: embeddings.model,
      texts: texts.length,
      error,
    }
    const message = 'Texts were indexed by words only; their vectors follow.'
    if (VectorDimensionError.isInstance(error)) logger.error(message, fields)
    else logger.warn(message, fields)
    return undefined
  }
}

/** Chunks of one group, with the vectors of those that have them already. */
export interface IndexedGroup {
  readonly tenantId: string
  readonly agentId: string
  readonly userId: string
  /** The document, session or episode. */
  readonly groupId: string
  readonly chunks: readonly NewChunk[]
  /** In the order of the chunks. */
  readonly vectors: PreparedVectors
  readonly spaceId: number | undefined
}

/** Writes chunks with their vectors, or with a promise of vectors, inside the caller's transaction. */
export async function writeIndex(
  stores: Stores,
  group: IndexedGroup,
  { clock, generateId }: Pick<IndexingDependencies, 'clock' | 'generateId'>,
): Promise<void> {
  const { chunks, vectors, spaceId, tenantId, agentId, userId, groupId } = group
  if (chunks.length === 0) return
  const inserted = stores.chunks.insert(chunks)
  if (vectors !== undefined && spaceId !== undefined) {
    const rows = chunks.map(({ id }, index) => ({ chunkId: id, vector: vectors[index] ?? [] }))
    await Promise.all([inserted, stores.embeddingSpaces.putVectors(spaceId, rows)])
    return
  }
  const published = stores.outbox.publish(
    {
      id: generateId(),
      type: 'chunks.unembedded',
      tenantId,
      agentId,
      userId,
      occurredAt: clock.now(),
      payload: { groupId },
    },
    [{ id: generateId(), consumer: EMBEDDING_CONSUMER, orderingKey: groupId }],
  )
  await Promise.all([inserted, published])
}

/** Whether all vectors are there. */
export function preparedState(vectors: PreparedVectors): PreparedIndex['state'] {
  return vectors === undefined ? 'lexical' : 'complete'
}
