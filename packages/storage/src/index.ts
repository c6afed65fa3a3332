export type { AgentLink, AgentLinkStore, AgentLinkTarget } from './agent-links.js'
export { readAgentSettings } from './agent-settings.js'
export type { AgentUser, AgentUserStore } from './agent-users.js'
export {
  AGENT_KEY_PATTERN,
  AGENT_STATUSES,
  AGENT_TYPES,
  agentSettingsSchema,
  type Agent,
  type AgentPatch,
  type AgentStatus,
  type AgentStore,
  type AgentType,
  type NewAgent,
} from './agents.js'
export type { ApiKey, ApiKeyDirectory, ApiKeyStore, NewApiKey } from './api-keys.js'
export {
  CHUNK_SOURCES,
  type Chunk,
  type ChunkFilter,
  type ChunkKey,
  type ChunkOwner,
  type ChunkSource,
  type ChunkStore,
  type LexicalLimits,
  type LexicalMatch,
  type LexicalMatches,
  type LexicalStatistics,
  type NewChunk,
  type TermFrequencies,
  type VectorMatch,
} from './chunks.js'
export {
  KEPT_FILE_VERSIONS,
  type ContextFileStore,
  type ContextFileVersion,
  type StoredContextFile,
} from './context-files.js'
export type { DeletionReceipt } from './deletion.js'
export {
  INDEX_STATES,
  type DocumentStore,
  type DocumentSummary,
  type DocumentWrite,
  type IndexState,
  type MemoryDocument,
} from './documents.js'
export type { EmbeddingSpace, EmbeddingSpaceStore } from './embedding-spaces.js'
export {
  EPISODE_METHODS,
  type Episode,
  type EpisodeMethod,
  type EpisodeStore,
  type NewEpisode,
} from './episodes.js'
export {
  MESSAGE_ORIGINS,
  MESSAGE_ROLES,
  messagePartSchema,
  toolCallSchema,
  type AppendedMessage,
  type Message,
  type MessageOrigin,
  type MessagePart,
  type MessageRole,
  type MessageStore,
  type NewMessage,
  type ToolCall,
} from './messages.js'
export type {
  DailyModelLimits,
  ModelCall,
  ModelCallAdmission,
  ModelCallLog,
  ModelCallOutcome,
  ModelCallStore,
  ModelCharge,
} from './model-calls.js'
export {
  DELIVERY_STATES,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryCount,
  type DeliveryQueue,
  type DeliveryState,
  type NewDelivery,
  type OutboxStore,
  type StoredEvent,
  type WaitingDeliveries,
} from './outbox.js'
export type { Page, PageRequest } from './page.js'
export { RUN_STATUSES, type Run, type RunStatus, type RunStore } from './runs.js'
export {
  MAX_SESSION_KEY_LENGTH,
  SESSION_KINDS,
  chatSessionKey,
  isReservedForOther,
  sessionKindOf,
  type NewSession,
  type Session,
  type SessionKind,
  type SessionPatch,
  type SessionStore,
} from './sessions.js'
export {
  accessFor,
  begun,
  type Access,
  type Storage,
  type StorageHealth,
  type Stores,
  type SystemStores,
  type TransactionOptions,
} from './storage.js'
export {
  SKILL_ACTIONS,
  type SkillAction,
  type SkillAuditEntry,
  type SkillAuditStore,
} from './skill-audit.js'
export type {
  NewSkillAgentGrant,
  SkillAgentGrant,
  SkillGrantStore,
  SkillUserGrant,
} from './skill-grants.js'
export type { SkillVector, SkillVectorStore } from './skill-vectors.js'
export {
  SKILL_STATUSES,
  SKILL_VISIBILITIES,
  skillSlugTaken,
  type GrantedSkill,
  type NewSkill,
  type NewSkillVersion,
  type SkillErasure,
  type SkillPatch,
  type SkillStatus,
  type SkillStore,
  type SkillVersion,
  type SkillVisibility,
  type StoredSkill,
  type StoredSkillFile,
} from './skills.js'
export {
  SUMMON_KINDS,
  SUMMON_STATES,
  type Summon,
  type SummonKind,
  type SummonOutcome,
  type SummonState,
  type SummonStore,
  type SummonedFile,
} from './summons.js'
export type { SystemConfig, SystemConfigStore } from './system-configs.js'
export {
  DEFAULT_TENANT_ID,
  type Tenant,
  type TenantDirectory,
  type TenantStore,
} from './tenants.js'
export {
  USER_DATA_KINDS,
  parseUserDataId,
  type ForgottenUserData,
  type UserDataItem,
  type UserDataKind,
  type UserDataName,
  type UserDataStore,
  type UserHoldings,
  type WithdrawnStretch,
} from './user-data.js'
