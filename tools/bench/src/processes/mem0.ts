/** A process with mem0 in it, used as its library is meant to be. It measures inside, so that no transport counts. */
import { pathToFileURL } from 'node:url'
import { answerParent } from './parent-calls.js'

/** What mem0 is opened with. */
export interface OpenMem0 {
  /** The file to import. */
  readonly entry: string
  readonly databaseUrl: string
  readonly modelUrl: string
  readonly dimensions: number
  /** Name of its table. */
  readonly collection: string
  /** Whether the table gets an HNSW index; mem0's own default is none. */
  readonly hnsw: boolean
}

/** What is to be stored. */
export interface AddMessages {
  readonly collection: string
  readonly userId: string
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  /** How many calls run at once; the messages are dealt out among them. */
  readonly atOnce: number
}

/** What is to be looked for. */
export interface AskQuestions {
  readonly collection: string
  readonly userId: string
  readonly questions: readonly string[]
  readonly maxResults: number
}

/** The part of mem0 that is used. */
interface Mem0 {
  add(
    messages: AddMessages['messages'],
    options: { readonly userId: string; readonly infer: boolean },
  ): Promise<{ readonly results: readonly unknown[] }>
  search(
    query: string,
    options: { readonly filters: { readonly user_id: string }; readonly topK: number },
  ): Promise<{ readonly results: readonly { readonly memory: string }[] }>
}

const memories = new Map<string, Mem0>()

function memoryOf(collection: string): Mem0 {
  const memory = memories.get(collection)
  if (!memory) throw new TypeError(`The collection ${collection} is not open.`)
  return memory
}

answerParent({
  async open(options: OpenMem0) {
    const { Memory } = (await import(pathToFileURL(options.entry).href)) as {
      readonly Memory: new (config: unknown) => Mem0
    }
    memories.set(options.collection, new Memory(configOf(options)))
  },

  /** Returns the milliseconds that it took. */
  async add({ collection, userId, messages, atOnce }: AddMessages) {
    const memory = memoryOf(collection)
    const lanes = Array.from({ length: atOnce }, (_, lane) =>
      messages.filter((_message, index) => index % atOnce === lane),
    )
    const started = performance.now()
    const answers = await Promise.all(
      lanes.map((lane) => memory.add(lane, { userId, infer: false })),
    )
    const took = performance.now() - started
    const stored = answers.reduce((sum, { results }) => sum + results.length, 0)
    if (stored !== messages.length) {
      throw new Error(`mem0 stored ${stored} of ${messages.length} messages.`)
    }
    return took
  },

  /** Returns the milliseconds that each took. */
  async search({ collection, userId, questions, maxResults }: AskQuestions) {
    const memory = memoryOf(collection)
    const times: number[] = []
    for (const question of questions) {
      const started = performance.now()
      const { results } = await memory.search(question, {
        filters: { user_id: userId },
        topK: maxResults,
      })
      times.push(performance.now() - started)
      if (results.length === 0) throw new Error(`mem0 found nothing for "${question}".`)
    }
    return times
  },
})

function configOf({ databaseUrl, modelUrl, dimensions, collection, hnsw }: OpenMem0): unknown {
  const endpoint = { apiKey: 'none', baseURL: modelUrl }
  return {
    version: 'v1.1',
    // Its history is a SQLite file beside the store, written once more for each message: left out, in its favour.
    disableHistory: true,
    embedder: {
      provider: 'openai',
      config: { ...endpoint, model: 'bench-embeddings', embeddingDims: dimensions },
    },
    vectorStore: {
      provider: 'pgvector',
      config: {
        connectionString: databaseUrl,
        collectionName: collection,
        dimension: dimensions,
        embeddingModelDims: dimensions,
        hnsw,
      },
    },
    llm: { provider: 'openai', config: { ...endpoint, model: 'bench-chat' } },
  }
}
