import {
  ConfigurationError,
  VectorDimensionError,
  silentLogger,
  type EmbeddingModel,
  type EmbeddingTrust,
  type Logger,
  type ModelCallContext,
} from '@loam/core'
import type { Deadline } from './deadline.js'
import { readEmbeddingAnswer } from './embedding-answer.js'
import { createEmbeddingBatches, type TextSetback, type Vector } from './embedding-batches.js'
import { createEndpoint, type Endpoint, type EndpointOptions } from './endpoint.js'
import { isRefusal } from './model-failure.js'

const DEFAULT_TIMEOUT_MS = 60_000
const DEFAULT_BATCH_SIZE = 64
/** The seed's default for a strong embedder (spec 09, "Found to hurt"). */
const DEFAULT_TRUST: EmbeddingTrust = { vectorWeight: 0.7, minSimilarity: 0.2 }

/** Options of `createOpenAiEmbeddingModel`. */
export interface OpenAiEmbeddingModelOptions extends EndpointOptions {
  /** Length of the vectors: asked for where the endpoint can shorten them, and checked. `probeDimensions` finds it. */
  readonly dimensions: number
  /** How many texts go into one request at most. Default: 64. */
  readonly batchSize?: number | undefined
  /** How far a fused search trusts the vectors. Default: weight 0.7, similarity from 0.2 on. */
  readonly trust?: EmbeddingTrust | undefined
  /** Told of texts that the endpoint refuses or that had to be shortened, without the texts. Default: silent. */
  readonly logger?: Logger | undefined
}

/**
 * Makes an embedding model behind an OpenAI-compatible API.
 *
 * A text without a visible character gives zeros and is not sent, since providers refuse it. One that the endpoint
 * refuses while it takes others gives zeros too, and a warning is logged; of one that is too long the head is embedded.
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
  const { logger = silentLogger } = options
  checkPositive('dimensions', dimensions)
  checkPositive('batchSize', batchSize)
  const endpoint = createEndpoint(options, { timeoutMs: DEFAULT_TIMEOUT_MS })
  const batches = createEmbeddingBatches(batchSize)
  let requestsDimensions = true

  return {
    provider: 'openai-compatible',
    model: options.model,
    dimensions,
    trust,
    remote: true,
    async embed(texts, context) {
      const vectors: Vector[] = texts.map(() => Array<number>(dimensions).fill(0))
      const written = [...texts.entries()].filter(([, text]) => text.trim() !== '')
      const embedded = await batches.embed(
        written.map(([, text]) => text),
        {
          ask: (batch) =>
            endpoint.within(context, (deadline) => embedBatch(batch, deadline, context)),
          onSetback: (setback) => report(setback, context),
        },
      )
      for (const [index, vector] of embedded.entries()) {
        if (vector) vectors[written[index]![0]] = vector
      }
      return vectors
    },
  }

  async function embedBatch(
    batch: readonly string[],
    deadline: Deadline,
    context: ModelCallContext,
  ): Promise<readonly Vector[]> {
    const asked = requestsDimensions
    try {
      const length = asked ? dimensions : undefined
      const vectors = await send(endpoint, batch, deadline, context, length)
      for (const { length: actual } of vectors) {
        if (actual !== dimensions) throw new VectorDimensionError({ expected: dimensions, actual })
      }
      return vectors
    } catch (error) {
      // Most models have one length only, and some endpoints refuse to be asked for it.
      if (!asked || !refusesDimensions(error)) throw error
      requestsDimensions = false
      return embedBatch(batch, deadline, context)
    }
  }

  function report({ outcome, length, error }: TextSetback, { task }: ModelCallContext): void {
    const message =
      outcome === 'shortened'
        ? 'A text is too long for the embedding model; only its head has a vector.'
        : 'The embedding model refuses a text; it is found by its words only.'
    const { status, providerMessage } = error.details
    logger.warn(message, { model: options.model, task, length, status, providerMessage })
  }
}

/** Asks the endpoint for one vector and returns its length. Throws `ModelError`. */
export async function probeDimensions(
  options: EndpointOptions,
  context: ModelCallContext,
): Promise<number> {
  const endpoint = createEndpoint(options, { timeoutMs: DEFAULT_TIMEOUT_MS })
  const [vector] = await endpoint.within(context, (deadline) =>
    send(endpoint, ['length'], deadline, context, undefined),
  )
  return vector!.length
}

async function send(
  endpoint: Endpoint,
  input: readonly string[],
  deadline: Deadline,
  context: ModelCallContext,
  dimensions: number | undefined,
): Promise<readonly Vector[]> {
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
    context,
  )
  return readEmbeddingAnswer(answer, input.length, endpoint)
}

function refusesDimensions(error: unknown): boolean {
  return isRefusal(error) && /dimension|matryoshka/i.test(error.message)
}

function checkPositive(path: string, value: number): void {
  if (Number.isInteger(value) && value > 0) return
  const message = `must be a whole number from 1 on, and is ${value}`
  throw new ConfigurationError({
    message: `The options of an embedding model are not right: ${path} ${message}.`,
    issues: [{ path, message }],
  })
}
