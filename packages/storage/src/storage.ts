import { SHARED_USER_ID, type AbortableOptions, type Scope } from '@loam/core'
import type { AgentLinkStore } from './agent-links.js'
import type { AgentUserStore } from './agent-users.js'
import type { AgentStore } from './agents.js'
import type { ApiKeyDirectory, ApiKeyStore } from './api-keys.js'
import type { ChunkStore } from './chunks.js'
import type { ContextFileStore } from './context-files.js'
import type { DocumentStore } from './documents.js'
import type { EmbeddingSpaceStore } from './embedding-spaces.js'
import type { EpisodeStore } from './episodes.js'
import type { MessageStore } from './messages.js'
import type { ModelCallLog, ModelCallStore } from './model-calls.js'
import type { DeliveryQueue, OutboxStore } from './outbox.js'
import type { RunStore } from './runs.js'
import type { SessionStore } from './sessions.js'
import type { SkillAuditStore } from './skill-audit.js'
import type { SkillGrantStore } from './skill-grants.js'
import type { SkillVectorStore } from './skill-vectors.js'
import type { SkillStore } from './skills.js'
import type { SummonStore } from './summons.js'
import type { SystemConfigStore } from './system-configs.js'
import type { TenantDirectory, TenantStore } from './tenants.js'
import type { UserDataStore } from './user-data.js'

/**
 * Whose rows a unit of work sees and may write: those of one tenant that are shared (`userId` `''`) or belong to one user.
 *
 * Work across users, such as an administrator's list, says so with `everyUser`; an empty `userId` never means it.
 */
export type Access =
  | {
      readonly tenantId: string
      readonly userId: string
      readonly everyUser?: never
      /** Refuses the unit of work when this agent's user was erased later, and keeps that from happening until its end. */
      readonly unlessErased?: { readonly agentId: string; readonly since: number } | undefined
    }
  | {
      readonly tenantId: string
      readonly everyUser: true
      readonly userId?: never
      readonly unlessErased?: never
    }

/** The access of a scope. What began before the user was erased comes to nothing, if the scope says since when it works. */
export function accessFor({ tenantId, agentId, userId, sinceErasure }: Scope): Access {
  return sinceErasure === undefined || userId === SHARED_USER_ID
    ? { tenantId, userId }
    : { tenantId, userId, unlessErased: { agentId, since: sinceErasure } }
}

/** The scope of work that begins now, or began when the scope says. */
export function begun(scope: Scope, storage: Pick<Storage, 'lastErasure'>): Scope {
  return { ...scope, sinceErasure: scope.sinceErasure ?? storage.lastErasure() }
}

/** The stores of one unit of work. All they do happens together or not at all. */
export interface Stores {
  readonly tenants: TenantStore
  readonly apiKeys: ApiKeyStore
  readonly agents: AgentStore
  readonly agentLinks: AgentLinkStore
  readonly agentUsers: AgentUserStore
  readonly contextFiles: ContextFileStore
  readonly summons: SummonStore
  readonly skills: SkillStore
  readonly skillGrants: SkillGrantStore
  readonly skillAudit: SkillAuditStore
  readonly skillVectors: SkillVectorStore
  readonly systemConfigs: SystemConfigStore
  readonly userData: UserDataStore
  readonly sessions: SessionStore
  readonly messages: MessageStore
  readonly runs: RunStore
  readonly documents: DocumentStore
  readonly chunks: ChunkStore
  readonly embeddingSpaces: EmbeddingSpaceStore
  readonly episodes: EpisodeStore
  readonly outbox: OutboxStore
  readonly modelCalls: ModelCallStore
}

/**
 * What the system itself may see, across tenants: whose a key is, which deliveries are due, which tenants there are. Each
 * call is a transaction of its own.
 */
export interface SystemStores {
  readonly tenants: TenantDirectory
  readonly apiKeys: ApiKeyDirectory
  readonly deliveries: DeliveryQueue
}

/** How a unit of work is run. */
export interface TransactionOptions extends AbortableOptions {
  /** Whether it only reads: then writing is refused, and nobody waits for its end. Default false. */
  readonly readOnly?: boolean | undefined
}

/** How a store stands. */
export interface StorageHealth {
  /** Migration that the database has, and the newest that this release knows. */
  readonly schemaVersion: number
  readonly expectedSchemaVersion: number
}

/** Durable memory. Every driver error arrives as a `StorageUnavailableError` or `StorageFailedError`. */
export interface Storage {
  /** Such as `postgres` or `pglite`. */
  readonly engine: string
  /**
   * Runs `work` in one transaction under the access given. It is committed when `work` resolves, undone when it rejects, and run again
   * when the database gave up on it because of another transaction; so `work` must do nothing but use the stores.
   * No model may be called inside.
   *
   * @throws ConflictError with `details.erased` when the user was erased after the work began; see `Access`.
   */
  transaction<Result>(
    access: Access,
    work: (stores: Stores) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>
  /**
   * Number of the newest erasure that this process has heard of: each unit of work tells it. Asked when work begins that ends
   * in another unit of work, such as one behind the call of a model; see `Scope.sinceErasure`.
   */
  lastErasure(): number
  readonly modelCalls: ModelCallLog
  /** The system's own work. */
  readonly system: SystemStores
  /** @throws StorageUnavailableError when the database does not answer. */
  health(): Promise<StorageHealth>
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}
