import type { ModelError } from '@loam/core'
import { headOf } from '@loam/text'
import { isRefusal, providerMessageOf, speaksOfLength } from './model-failure.js'

/** A vector as a model gives it. */
export type Vector = readonly number[]

/** A text that the endpoint does not take as it is, while it takes others. */
export interface TextSetback {
  /** `shortened`: its head has a vector. `refused`: it has none. */
  readonly outcome: 'shortened' | 'refused'
  /** Length of the text in UTF-16 code units. */
  readonly length: number
  readonly error: ModelError
}

/** How the texts of one call are sent. */
export interface BatchRequest {
  /** Sends some texts at once. Throws a refusal when the endpoint does not take them. */
  readonly ask: (texts: readonly string[]) => Promise<readonly Vector[]>
  readonly onSetback: (setback: TextSetback) => void
}

/** Embeds any number of texts, in batches that the endpoint takes. */
export interface EmbeddingBatches {
  /** One vector for each text, in order; undefined for a text that is refused by itself. */
  embed(texts: readonly string[], request: BatchRequest): Promise<readonly (Vector | undefined)[]>
}

/** What every embedding model takes, to tell a text that is refused from an endpoint that refuses everything. */
const HARMLESS_TEXT = 'Hello'
/** How often a text that is too long is cut in half: to 1/64 of it. */
const MOST_HALVINGS = 6

/** What has become of one batch so far. */
interface Attempt extends BatchRequest {
  succeeded: boolean
}

/**
 * Makes batches of up to `largest` texts. A batch that is refused is halved, down to the one text that is at fault, so
 * that the others get their vectors. A size that is refused as such is not tried again (openclaw #136261: providers take
 * 10, 16, 20 or 64).
 */
export function createEmbeddingBatches(largest: number): EmbeddingBatches {
  let size = largest

  async function embedPart(
    texts: readonly string[],
    attempt: Attempt,
  ): Promise<readonly (Vector | undefined)[]> {
    if (texts.length > size) return embedHalves(texts, attempt)
    try {
      const vectors = await attempt.ask(texts)
      attempt.succeeded = true
      return vectors
    } catch (error) {
      if (!isRefusal(error)) throw error
      const [text = '', ...others] = texts
      if (others.length === 0) return [await embedAlone(text, error, attempt)]
      if (speaksOfBatchSize(error)) size = Math.max(1, Math.min(size, texts.length >> 1))
      return embedHalves(texts, attempt)
    }
  }

  async function embedHalves(texts: readonly string[], attempt: Attempt) {
    const middle = Math.ceil(texts.length / 2)
    const first = await embedPart(texts.slice(0, middle), attempt)
    return [...first, ...(await embedPart(texts.slice(middle), attempt))]
  }

  return {
    async embed(texts, request) {
      const vectors: (Vector | undefined)[] = []
      while (vectors.length < texts.length) {
        const sizeBefore = size
        const batch = texts.slice(vectors.length, vectors.length + size)
        try {
          vectors.push(...(await embedPart(batch, { ...request, succeeded: false })))
        } catch (error) {
          // An endpoint that refuses everything says nothing about sizes.
          if (isRefusal(error)) size = sizeBefore
          throw error
        }
      }
      return vectors
    },
  }
}

/** Embeds a text that is refused by itself, or as much of its head as is taken. */
async function embedAlone(
  text: string,
  error: ModelError,
  attempt: Attempt,
): Promise<Vector | undefined> {
  const { length } = text
  const vector = error.reason === 'too_large' ? await embedHead(text, attempt) : undefined
  if (!vector && !attempt.succeeded && (await refuses(HARMLESS_TEXT, attempt))) throw error
  attempt.succeeded = true
  attempt.onSetback({ outcome: vector ? 'shortened' : 'refused', length, error })
  return vector
}

async function embedHead(text: string, attempt: Attempt): Promise<Vector | undefined> {
  for (let halving = 1; halving <= MOST_HALVINGS; halving++) {
    const head = headOf(text, text.length >> halving)
    if (head.trim() === '') return undefined
    try {
      const [vector] = await attempt.ask([head])
      return vector
    } catch (error) {
      if (!isRefusal(error)) throw error
      if (error.reason !== 'too_large') return undefined
    }
  }
  return undefined
}

async function refuses(text: string, { ask }: Attempt): Promise<boolean> {
  try {
    await ask([text])
    return false
  } catch (error) {
    if (isRefusal(error)) return true
    throw error
  }
}

const BATCH_WORDS = /batch|inputs\b|items|array|elements|instances|entries|too (?:many|large|big)/i

/** Whether a refusal is about how many texts there are, and not about one of them. */
function speaksOfBatchSize(error: ModelError): boolean {
  if (speaksOfLength(error)) return false
  return error.details.status === 413 || BATCH_WORDS.test(providerMessageOf(error))
}
