import type { ContextFiles } from '@loam/bootstrap'
import type { AgentTool, Clock, GenerateId, Logger, Scope } from '@loam/core'
import type { Memory } from '@loam/memory'
import type { Skills } from '@loam/skills'
import type { Agent, ApiKey, DeliveryCount, Storage, WaitingDeliveries } from '@loam/storage'
import type { ContextRequest, TurnContext } from './build-context.js'
import type { AgentToolsRequest } from './agent-tools.js'
import type { RuntimeModels } from './compose-models.js'
import type { Chat } from './chat/create-chat.js'
import type { LoamConfig } from './config.js'
import type { Agents } from './create-agents.js'
import type { TurnSkills, TurnSkillsRequest } from './turn-skills.js'
import type { UserMemory } from './user-memory.js'

/** What a client reports when it has answered a turn or finished a task. */
export interface RunReport {
  /** The client's own id; a report sent twice counts once. */
  readonly runId: string
  readonly status: 'completed' | 'failed' | 'cancelled'
  /** What the client's compaction made of the conversation so far. */
  readonly compactionSummary?: string | undefined
  readonly usage?:
    | { readonly inputTokens?: number | undefined; readonly outputTokens?: number | undefined }
    | undefined
}

/** How one part of an installation stands. */
export interface HealthCheck {
  readonly name: string
  readonly ok: boolean
  /** Whether this process cannot do its work without it. */
  readonly required: boolean
  /** A sentence for people. */
  readonly detail: string
}

/** What a tenant may know of how its memory stands. */
export interface RuntimeStatus {
  readonly checks: readonly HealthCheck[]
  readonly index: {
    /** Chunks that are found by words. */
    readonly chunks: number
    /** Those of them that the present embedding model has not seen, so that their meaning is not searched. */
    readonly withoutVector: number
    readonly provider: string
    readonly model: string
    readonly dimensions: number
    /** Languages in which meaning is searched, as BCP 47 tags; undefined when the model does not say. */
    readonly languages: readonly string[] | undefined
  }
  readonly deliveries: readonly DeliveryCount[]
  /** What those wait for that failed or were put off. */
  readonly waiting: readonly WaitingDeliveries[]
  /** What its model calls of this day (UTC) took, and what they may take. */
  readonly usage: {
    readonly since: Date
    readonly calls: number
    readonly inputTokens: number
    readonly outputTokens: number
    /** What the calls count against the daily cap; estimated where a provider tells no usage, and while a call runs. */
    readonly chargedTokens: number
    readonly costUsd: number
    readonly dailyTokenLimit: number | undefined
    readonly dailyCostLimitUsd: number | undefined
  }
}

/** A composed Loam: what servers, workers and commands are built on. */
export interface Runtime {
  /** As it took effect: `apiKey` is the key that is accepted, also when it was generated. */
  readonly config: LoamConfig
  readonly storage: Storage
  readonly memory: Memory
  readonly contextFiles: ContextFiles
  /** Makes agents, and has their files written by a model. */
  readonly agents: Agents
  /** What agents can do. */
  readonly skills: Skills
  /** What agents hold about people: seen, corrected, forgotten. */
  readonly userMemory: UserMemory
  readonly models: RuntimeModels
  readonly clock: Clock
  readonly generateId: GenerateId
  readonly logger: Logger
  /** Whose a presented secret is; undefined when nobody's. */
  authenticate(secret: string): Promise<ApiKey | undefined>
  /** The tenant's agent of that key or id, if there is one. */
  findAgent(tenantId: string, keyOrId: string): Promise<Agent | undefined>
  /**
   * Stores a run of the user's session, with its `run.completed` event and one delivery for each consumer, in one transaction.
   *
   * @throws NotFoundError when the user has no such session.
   */
  reportRun(
    scope: Scope,
    sessionKey: string,
    report: RunReport,
  ): Promise<{ readonly runId: string; readonly eventId: string }>
  /** Builds the prompt of a turn: see `ContextRequest`. */
  buildContext(request: ContextRequest): Promise<TurnContext>
  /** The skills of a turn, and what a slash command in its message does. */
  prepareSkills(request: TurnSkillsRequest): Promise<TurnSkills>
  /** The tools that an agent has for a user: memory, skills and files. For the formats of providers see `@loam/core`. */
  createTools(request: AgentToolsRequest): readonly AgentTool[]
  /**
   * Answers a turn with the agent's memory, skills and files, asking the configured model, and remembers it.
   *
   * `hooks.onText` is told the answer as it comes; `hooks.signal` ends the turn.
   *
   * @throws InvalidInputError for messages that are none, ConfigurationError without a chat model, ConflictError while the same
   * named turn is being answered, ModelError when the model fails; what was said is stored then.
   */
  readonly chat: Chat
  /** Starts relay and handlers in this process. Until then deliveries wait. */
  start(): Promise<void>
  /** Resolves when no delivery is due or in hand. For demos and tests. */
  settle(): Promise<void>
  /** How its parts stand. It can do its work when all that are required are well. */
  ready(): Promise<readonly HealthCheck[]>
  /** How the memory of a tenant stands: what is indexed, what waits. */
  status(tenantId: string): Promise<RuntimeStatus>
  /** Drains what is in hand, then closes the stores. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}
