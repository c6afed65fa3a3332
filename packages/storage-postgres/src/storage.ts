import type { EmbeddingSpace, Storage, Stores, SystemStores } from '@loam/storage'
import type { Engine } from './database.js'
import { withStorageErrors, wrapStores } from './driver-errors.js'
import { expectedSchemaVersion, readSchemaVersion } from './schema-version.js'
import { createAgentStore } from './stores/agents.js'
import { createApiKeyDirectory, createApiKeyStore } from './stores/api-keys.js'
import { createChunkStore } from './stores/chunks.js'
import { createDeliveryQueue } from './stores/deliveries.js'
import { createDocumentStore } from './stores/documents.js'
import { createEmbeddingSpaceStore } from './stores/embedding-spaces.js'
import { createEpisodeStore } from './stores/episodes.js'
import { createMessageStore } from './stores/messages.js'
import { createModelCallStore } from './stores/model-calls.js'
import { createOutboxStore } from './stores/outbox.js'
import { createRunStore } from './stores/runs.js'
import { createSessionStore } from './stores/sessions.js'
import type { StoreContext } from './stores/store-context.js'
import { createTenantDirectory, createTenantStore } from './stores/tenants.js'
import { createWarmScopes } from './stores/warm-scopes.js'
import { checkAccess, enterAs, runUnitOfWork, withRetries } from './unit-of-work.js'

export interface StorageParts {
  readonly engine: Engine
  readonly exactVectorSearchLimit: number
  /** Most bytes of scopes in memory. */
  readonly searchCacheBytes: number
  /** Closes the engine and whatever else was opened for it. */
  readonly close: () => Promise<void>
}

/** The port's `Storage` over an engine whose schema is in order. */
export function createStorage({
  engine,
  exactVectorSearchLimit,
  searchCacheBytes,
  close,
}: StorageParts): Storage {
  const warmScopes = createWarmScopes({
    maxBytes: searchCacheBytes,
    maxChunks: exactVectorSearchLimit,
    inBackground: (access, work) => runUnitOfWork(engine, enterAs(access), work),
  })
  const spaces = new Map<number, EmbeddingSpace>()
  let closed: Promise<void> | undefined
  const closeOnce = () => (closed ??= warmScopes.close().then(close))
  return {
    engine: engine.name,
    async transaction(access, work, options) {
      checkAccess(access)
      return await runUnitOfWork(
        engine,
        enterAs(access),
        (database, gate) =>
          work(
            createStores({ database, gate, access, exactVectorSearchLimit, spaces, warmScopes }),
          ),
        options?.signal,
      )
    },
    system: createSystemStores(engine),
    health: async () => ({
      schemaVersion: await readSchemaVersion(engine),
      expectedSchemaVersion: await expectedSchemaVersion(),
    }),
    close: closeOnce,
    [Symbol.asyncDispose]: closeOnce,
  }
}

function createStores(context: StoreContext): Stores {
  return withStorageErrors<Stores>({
    tenants: createTenantStore(context),
    apiKeys: createApiKeyStore(context),
    agents: createAgentStore(context),
    sessions: createSessionStore(context),
    messages: createMessageStore(context),
    runs: createRunStore(context),
    documents: createDocumentStore(context),
    chunks: createChunkStore(context),
    embeddingSpaces: createEmbeddingSpaceStore(context),
    episodes: createEpisodeStore(context),
    outbox: createOutboxStore(context),
    modelCalls: createModelCallStore(context),
  })
}

function createSystemStores(engine: Engine): SystemStores {
  const entry = enterAs('system')
  const database = engine.single(entry)
  const stores: SystemStores = {
    tenants: createTenantDirectory(database),
    apiKeys: createApiKeyDirectory(database),
    deliveries: createDeliveryQueue(database, (work) => runUnitOfWork(engine, entry, work)),
  }
  return wrapStores(stores, withRetries)
}
