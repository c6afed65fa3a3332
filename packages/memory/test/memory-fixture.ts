import { fixedClock, generateId, ModelError, type EmbeddingModel, type Scope } from '@loam/core'
import { DEFAULT_TENANT_ID, type Storage } from '@loam/storage'
import { createTestStorage } from '@loam/storage-postgres/testing'
import { afterAll, beforeAll } from 'vitest'
import { createMemory, type MemoryOptions } from '../src/create-memory.js'

/** Words that mean the same to the embedding model of the tests. */
const CONCEPTS = [
  ['tea', 'chai', 'beverage'],
  ['dog', 'puppy', 'hound'],
  ['car', 'automobile', 'vehicle'],
  ['doctor', 'physician', 'surgeon'],
]

/** How often a text speaks of each concept. */
export function conceptVector(text: string): readonly number[] {
  const words = new Set(text.toLowerCase().match(/\p{L}+/gu))
  return CONCEPTS.map((concept) => concept.filter((word) => words.has(word)).length)
}

/** An embedding model that knows few concepts, records what it is asked, and fails when told to. */
export interface ConceptEmbeddings extends EmbeddingModel {
  readonly calls: { readonly texts: readonly string[]; readonly task: string }[]
  failing: boolean
  /** Length of the vectors that it really gives. */
  actualDimensions: number
}

export function createConceptEmbeddings(options: Partial<EmbeddingModel> = {}): ConceptEmbeddings {
  const model: ConceptEmbeddings = {
    provider: 'test',
    model: 'concepts',
    dimensions: CONCEPTS.length,
    trust: { vectorWeight: 0.5, minSimilarity: 0.3 },
    remote: false,
    calls: [],
    failing: false,
    actualDimensions: CONCEPTS.length,
    async embed(texts, { task }) {
      model.calls.push({ texts, task })
      if (model.failing) throw new ModelError({ message: 'The model is away.', retryable: true })
      return texts.map((text) => {
        const vector = conceptVector(text)
        return Array.from({ length: model.actualDimensions }, (_, index) => vector[index] ?? 0)
      })
    },
    ...options,
  }
  return model
}

/** A store for the tests of one file, and scopes in it that nobody else uses. */
export function useStorage() {
  let storage: Storage | undefined
  beforeAll(async () => {
    storage = await createTestStorage()
    await storage.transaction({ tenantId: DEFAULT_TENANT_ID, userId: '' }, ({ tenants }) =>
      tenants.ensure({ slug: 'test', name: 'Test' }),
    )
  })
  afterAll(() => storage?.close())
  const opened = () => {
    if (storage === undefined) throw new Error('The store is opened before the first test.')
    return storage
  }
  return {
    storage: opened,
    /** A new agent's scope. */
    newScope: async (userId = 'alice'): Promise<Scope> => {
      const id = generateId()
      const access = { tenantId: DEFAULT_TENANT_ID, userId: '' }
      await opened().transaction(access, ({ agents }) =>
        agents.create({
          id,
          key: `agent-${id.slice(-12)}`,
          type: 'open',
          displayName: undefined,
          description: undefined,
          settings: {},
        }),
      )
      return { tenantId: DEFAULT_TENANT_ID, agentId: id, userId }
    },
    newMemory: (options: Partial<MemoryOptions> = {}) => {
      const embeddings = createConceptEmbeddings()
      const clock = fixedClock('2026-11-30T12:00:00Z')
      const memory = createMemory({ storage: opened(), embeddings, clock, ...options })
      return { memory, embeddings, clock }
    },
  }
}
