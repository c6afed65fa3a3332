import {
  ConfigurationError,
  ModelError,
  VectorDimensionError,
  type EmbeddingModel,
  type EmbeddingTrust,
  type ModelCallContext,
} from '@loam/core'
import type { Deadline } from './deadline.js'
import { readEmbeddingAnswer } from './embedding-answer.js'
import { createEndpoint, type Endpoint, type EndpointOptions } from './endpoint.js'

const DEFAULT_TIMEOUT_MS = 60_000
const DEFAULT_BATCH_SIZE = 64
/** The seed's default for a strong embedder (spec 09, "Found to hurt"). */
const DEFAULT_TRUST: EmbeddingTrust = { vectorWeight: 0.7, minSimilarity: 0.2 }

/** Options of `createOpenAiEmbeddingModel`. */
export interface OpenAiEmbeddingModelOptions extends EndpointOptions {
  /** Length of the vectors: asked for where the endpoint can shorten them, and checked. `probeDimensions` finds it. */
  readonly dimensions: number
  /** How many texts go into one request. Default: 64. */
  readonly batchSize?: number | undefined
  /** How far a fused search trusts the vectors. Default: weight 0.7, similarity from 0.2 on. */
  readonly trust?: EmbeddingTrust | undefined
}

/**
 * Makes an embedding model behind an OpenAI-compatible API.
 *
 * A text without a visible character gives zeros and is not sent, since providers refuse it.
 *
 * @throws ConfigurationError if the options are not right.
 * @example
 * const model = createOpenAiEmbeddingModel({
 *   baseUrl: 'http://127.0.0.1:11434/v1', model: 'nomic-embed-text', dimensions: 768,
 * })
 * const [vector] = await model.embed(['Hello'], { scope, task: 'example' })
 */
export function createOpenAiEmbeddingModel(options: OpenAiEmbeddingModelOptions): EmbeddingModel {
  const { dimensions, batchSize = DEFAULT_BATCH_SIZE, trust = DEFAULT_TRUST } = options
  checkPositive('dimensions', dimensions)
  checkPositive('batchSize', batchSize)
  const endpoint = createEndpoint(options, { timeoutMs: DEFAULT_TIMEOUT_MS })
  let requestsDimensions = true

  return {
    provider: 'openai-compatible',
    model: options.model,
    dimensions,
    trust,
    remote: true,
    async embed(texts, { signal }) {
      const vectors: (readonly number[])[] = texts.map(() => Array<number>(dimensions).fill(0))
      const written = [...texts.entries()].filter(([, text]) => text.trim() !== '')
      for (let start = 0; start < written.length; start += batchSize) {
        const batch = written.slice(start, start + batchSize)
        const embedded = await endpoint.within({ signal }, (deadline) =>
          embedBatch(
            batch.map(([, text]) => text),
            deadline,
          ),
        )
        for (const [index, vector] of embedded.entries()) vectors[batch[index]![0]] = vector
      }
      return vectors
    },
  }

  async function embedBatch(
    batch: readonly string[],
    deadline: Deadline,
  ): Promise<readonly (readonly number[])[]> {
    const asked = requestsDimensions
    try {
      const vectors = await send(endpoint, batch, deadline, asked ? dimensions : undefined)
      for (const { length } of vectors) {
        if (length !== dimensions) {
          throw new VectorDimensionError({ expected: dimensions, actual: length })
        }
      }
      return vectors
    } catch (error) {
      // Most models have one length only, and some endpoints refuse to be asked for it.
      if (!asked || !refusesDimensions(error)) throw error
      requestsDimensions = false
      return embedBatch(batch, deadline)
    }
  }
}

/** Asks the endpoint for one vector and returns its length. Throws `ModelError`. */
export async function probeDimensions(
  options: EndpointOptions,
  { signal }: ModelCallContext,
): Promise<number> {
  const endpoint = createEndpoint(options, { timeoutMs: DEFAULT_TIMEOUT_MS })
  const [vector] = await endpoint.within({ signal }, (deadline) =>
    send(endpoint, ['length'], deadline, undefined),
  )
  return vector!.length
}

async function send(
  endpoint: Endpoint,
  input: readonly string[],
  deadline: Deadline,
  dimensions: number | undefined,
): Promise<readonly (readonly number[])[]> {
  const body = {
    model: endpoint.model,
    input: [...input],
    // Without it the package asks for base64, which some endpoints do not know.
    encoding_format: 'float' as const,
    ...(dimensions !== undefined && { dimensions }),
  }
  const answer = await endpoint.send(
    (client, options) => client.embeddings.create(body, options),
    deadline,
  )
  return readEmbeddingAnswer(answer, input.length, endpoint)
}

function refusesDimensions(error: unknown): boolean {
  if (!ModelError.isInstance(error)) return false
  const { status } = error.details
  return (status === 400 || status === 422) && /dimension|matryoshka/i.test(error.message)
}

function checkPositive(path: string, value: number): void {
  if (Number.isInteger(value) && value > 0) return
  const message = `must be a whole number from 1 on, and is ${value}`
  throw new ConfigurationError({
    message: `The options of an embedding model are not right: ${path} ${message}.`,
    issues: [{ path, message }],
  })
}
