import type { EmbeddingModel, Logger, ModelCallContext } from '@loam/core'
import { LoamError, VectorDimensionError } from '@loam/core'

/** The vector of a query, or why there is none. Neither is there when no word of the query is known. */
export interface QueryVector {
  readonly vector?: readonly number[]
  /** A sentence for the caller. */
  readonly failure?: string
}

/** Embeds a query; a model that fails costs the search its meaning, not its words. Passes only an abort through. */
export async function embedQuery(
  query: string,
  context: ModelCallContext,
  { embeddings, logger }: { readonly embeddings: EmbeddingModel; readonly logger: Logger },
): Promise<QueryVector> {
  try {
    const [vector] = await embeddings.embed([query], context)
    const actual = vector?.length ?? 0
    if (vector === undefined || actual !== embeddings.dimensions) {
      throw new VectorDimensionError({ expected: embeddings.dimensions, actual })
    }
    return vector.some((value) => value !== 0) ? { vector } : {}
  } catch (error) {
    context.signal?.throwIfAborted()
    const code = LoamError.isInstance(error) ? error.code : 'unknown'
    logger.warn('A query was searched by words only.', { code, model: embeddings.model, error })
    return {
      failure: `The embedding model ${embeddings.model} did not answer (${code}); only words were searched.`,
    }
  }
}
