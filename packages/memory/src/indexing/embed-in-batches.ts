import { ModelError, VectorDimensionError } from '@loam/core'
import type { EmbeddingModel, ModelCallContext } from '@loam/core'

/** Texts of one call (spec 04, 5.3). */
export const EMBEDDING_BATCH_SIZE = 50

/**
 * Embeds any number of texts, in order.
 *
 * @throws ModelError when the model fails or answers with another number of vectors.
 * @throws VectorDimensionError when a vector is not as long as the model says.
 */
export async function embedInBatches(
  texts: readonly string[],
  context: ModelCallContext,
  embeddings: EmbeddingModel,
): Promise<readonly (readonly number[])[]> {
  context.signal?.throwIfAborted()
  const batches: (readonly string[])[] = []
  for (let start = 0; start < texts.length; start += EMBEDDING_BATCH_SIZE) {
    batches.push(texts.slice(start, start + EMBEDDING_BATCH_SIZE))
  }
  // How many are on their way at once is the model's to say.
  const answers = await Promise.all(batches.map((batch) => embedBatch(batch, context, embeddings)))
  return answers.flat()
}

async function embedBatch(
  batch: readonly string[],
  context: ModelCallContext,
  embeddings: EmbeddingModel,
): Promise<readonly (readonly number[])[]> {
  const answer = await embeddings.embed(batch, context)
  if (answer.length !== batch.length) {
    throw new ModelError({
      message: `The embedding model ${embeddings.model} answered ${batch.length} texts with ${answer.length} vectors.`,
      retryable: true,
    })
  }
  for (const { length } of answer) {
    if (length === embeddings.dimensions) continue
    throw new VectorDimensionError({ expected: embeddings.dimensions, actual: length })
  }
  return answer
}
