import { ModelOutputError } from '@loam/core'
import { z } from 'zod'
import { notAnApiAnswer, type CallTarget } from './model-failure.js'

/** What is read of an embedding answer. `z.number()` admits no NaN and no infinity. */
const answerSchema = z.object({
  data: z.array(
    z.object({ index: z.number().int().nullish(), embedding: z.array(z.number()).min(1) }),
  ),
})

/** The vectors of an embedding answer in the order of the texts; the answer may list them in another. */
export function readEmbeddingAnswer(
  answer: unknown,
  count: number,
  target: CallTarget,
): readonly (readonly number[])[] {
  const parsed = answerSchema.safeParse(answer)
  if (!parsed.success) throw notAnApiAnswer(target, 'a list of embeddings')
  const { data } = parsed.data
  if (data.length !== count) {
    throw new ModelOutputError({
      message: `Model "${target.model}" at ${target.baseUrl} answered ${count} texts with ${data.length} vectors. Lower batchSize, or use another endpoint.`,
      details: { model: target.model, texts: count, vectors: data.length },
    })
  }
  if (data.every(({ index }) => index === undefined || index === null)) {
    return data.map(({ embedding }) => embedding)
  }
  const vectors = new Map(data.map(({ index, embedding }) => [index, embedding]))
  return Array.from({ length: count }, (_, index) => {
    const vector = vectors.get(index)
    if (vector) return vector
    throw new ModelOutputError({
      message: `Model "${target.model}" at ${target.baseUrl} answered without a vector for text ${index} of ${count}. Use another endpoint, or a batchSize of 1.`,
      details: { model: target.model, index },
    })
  })
}
