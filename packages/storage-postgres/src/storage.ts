import type { Access, EmbeddingSpace, Storage, Stores, SystemStores } from '@loam/storage'
import type { Engine } from './database.js'
import { withStorageErrors, wrapStore } from './driver-errors.js'
import { expectedSchemaVersion, readSchemaVersion } from './schema-version.js'
import { createAgentLinkStore } from './stores/agent-links.js'
import { createAgentUserStore } from './stores/agent-users.js'
import { createAgentStore } from './stores/agents.js'
import { createApiKeyDirectory, createApiKeyStore } from './stores/api-keys.js'
import { createChunkStore } from './stores/chunks.js'
import { createContextFileStore } from './stores/context-files.js'
import { createDeliveryQueue } from './stores/deliveries.js'
import { createDocumentStore } from './stores/documents.js'
import { createEmbeddingSpaceStore } from './stores/embedding-spaces.js'
import { createEpisodeStore } from './stores/episodes.js'
import { createMessageStore } from './stores/messages.js'
import { createModelCallLog } from './stores/model-call-log.js'
import { createModelCallStore } from './stores/model-calls.js'
import { createOutboxStore } from './stores/outbox.js'
import { createRunStore } from './stores/runs.js'
import { createSessionStore } from './stores/sessions.js'
import type { StoreContext } from './stores/store-context.js'
import { createSkillAuditStore } from './stores/skill-audit.js'
import { createSkillGrantStore } from './stores/skill-grants.js'
import { createSkillVectorStore } from './stores/skill-vectors.js'
import { createSkillStore } from './stores/skills.js'
import { createSummonStore } from './stores/summons.js'
import { createSystemConfigStore } from './stores/system-configs.js'
import { createTenantDirectory, createTenantStore } from './stores/tenants.js'
import { createUserDataStore } from './stores/user-data.js'
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
  let lastErasure = 0
  const heardOf = (number: number): void => {
    lastErasure = Math.max(lastErasure, number)
  }
  const enter = (access: Access) => enterAs(access, heardOf)
  const warmScopes = createWarmScopes({
    maxBytes: searchCacheBytes,
    maxChunks: exactVectorSearchLimit,
    inBackground: (access, work) => runUnitOfWork(engine, enter(access), work),
  })
  const spaces = new Map<number, EmbeddingSpace>()
  let closed: Promise<void> | undefined
  const closeOnce = () => (closed ??= warmScopes.close().then(close))
  return {
    engine: engine.name,
    async transaction(access, work, options) {
      checkAccess(access)
      let ownErasure = 0
      const result = await runUnitOfWork(
        engine,
        enter(access),
        (database, gate) =>
          work(
            createStores({
              database,
              gate,
              access,
              exactVectorSearchLimit,
              vectorArray: (vectors) => engine.vectorArray(database, vectors),
              spaces,
              warmScopes,
              onErased: (number) => {
                ownErasure = number
              },
            }),
          ),
        options,
      )
      heardOf(ownErasure)
      return result
    },
    lastErasure: () => lastErasure,
    modelCalls: createModelCallLog(engine),
    system: createSystemStores(engine),
    health: async () => ({
      schemaVersion: await readSchemaVersion(engine),
      expectedSchemaVersion: await expectedSchemaVersion(),
    }),
    close: closeOnce,
    [Symbol.asyncDispose]: closeOnce,
  }
}

const storeMakers: { [Name in keyof Stores]: (context: StoreContext) => Stores[Name] } = {
  tenants: createTenantStore,
  apiKeys: createApiKeyStore,
  agents: createAgentStore,
  agentLinks: createAgentLinkStore,
  agentUsers: createAgentUserStore,
  contextFiles: createContextFileStore,
  summons: createSummonStore,
  skills: createSkillStore,
  skillGrants: createSkillGrantStore,
  skillAudit: createSkillAuditStore,
  skillVectors: createSkillVectorStore,
  systemConfigs: createSystemConfigStore,
  userData: createUserDataStore,
  sessions: createSessionStore,
  messages: createMessageStore,
  runs: createRunStore,
  documents: createDocumentStore,
  chunks: createChunkStore,
  embeddingSpaces: createEmbeddingSpaceStore,
  episodes: createEpisodeStore,
  outbox: createOutboxStore,
  modelCalls: createModelCallStore,
}

/** The stores of a unit of work, which makes few of its statements on few of them: each is made when it is first used. */
function createStores(context: StoreContext): Stores {
  const stores = {}
  for (const [name, make] of Object.entries(storeMakers)) {
    Object.defineProperty(stores, name, {
      enumerable: true,
      configurable: true,
      get() {
        const value = withStorageErrors(make(context))
        Object.defineProperty(stores, name, { value })
        return value
      },
    })
  }
  return stores as Stores
}

function createSystemStores(engine: Engine): SystemStores {
  const entry = enterAs('system')
  const database = engine.single(entry)
  const deliveries = createDeliveryQueue(database, (work) => runUnitOfWork(engine, entry, work))
  return {
    tenants: wrapStore(createTenantDirectory(database), withRetries),
    apiKeys: wrapStore(createApiKeyDirectory(database), withRetries),
    deliveries: wrapStore(deliveries, withRetries),
  }
}
