import { fixedClock, type Clock, type EmbeddingModel } from '@loam/core'
import { createOpenAiEmbeddingModel } from '@loam/models'
import {
  MODEL_FAULTS,
  startModelServer,
  type ModelFault,
  type ModelFaultName,
  type ModelReply,
} from '@loam/models/testing'
import type { Storage } from '@loam/storage'
import { createMemory } from '../src/create-memory.js'
import { conceptVector } from './memory-fixture.js'

/** Faults of an embedding endpoint, in the order of the catalogue. */
export const EMBEDDING_FAULTS = (Object.keys(MODEL_FAULTS) as ModelFaultName[]).filter(
  (name) => 'embeddings' in MODEL_FAULTS[name],
)

const TRUST = { vectorWeight: 0.5, minSimilarity: 0.3 }

/** A memory whose embedding model speaks to a real server. */
export interface RemoteMemoryOptions {
  readonly storage: Storage
  /** Answers in place of good vectors; undefined for those. */
  readonly reply?: (
    texts: readonly string[],
    good: readonly (readonly number[])[],
  ) => ModelReply | undefined
  /** Asked at each call. Default: 10 s. */
  readonly timeoutMs?: () => number
  readonly wrap?: (model: EmbeddingModel) => EmbeddingModel
  readonly clock?: Clock
}

/** Starts the server, and makes a memory in front of it. */
export async function startRemoteMemory(options: RemoteMemoryOptions) {
  const { storage, reply, timeoutMs = () => 10_000, wrap = (each) => each } = options
  const { clock = fixedClock('2026-11-30T12:00:00Z') } = options
  const server = await startModelServer({
    embeddings: ({ body }) => {
      const texts = body.input as string[]
      const good = texts.map(conceptVector)
      return reply?.(texts, good) ?? good
    },
  })
  const modelWith = (limit: number) =>
    createOpenAiEmbeddingModel({
      baseUrl: server.baseUrl,
      model: 'concepts',
      dimensions: conceptVector('').length,
      trust: TRUST,
      maxRetries: 0,
      timeoutMs: limit,
    })
  const embeddings = wrap({
    ...modelWith(timeoutMs()),
    embed: (...input) => modelWith(timeoutMs()).embed(...input),
  })
  const memory = createMemory({ storage, embeddings, clock })
  return { server, memory, [Symbol.asyncDispose]: () => server.close() }
}

/** A memory whose embedding model has the fault until it is mended. */
export async function startFaultyMemory(storage: Storage, name: ModelFaultName) {
  const fault: ModelFault = MODEL_FAULTS[name]
  let mended = false
  const remote = await startRemoteMemory({
    storage,
    reply: (_texts, good) => (mended ? undefined : fault.embeddings?.(good)),
    // Short while nothing comes anyway; nobody knows how busy the machine is that runs the tests.
    timeoutMs: () => (name === 'hang' && !mended ? 500 : 10_000),
  })
  return {
    ...remote,
    fault,
    isHarmless: fault.nature === 'harmless',
    mend: () => {
      mended = true
    },
  }
}
