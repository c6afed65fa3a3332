import { z } from 'zod'
import type { DeletionReceipt } from './deletion.js'
import type { Page, PageRequest } from './page.js'

/** What kinds of agent there are: `open` gives each user a persona of their own, `predefined` shares one. */
export const AGENT_TYPES = ['open', 'predefined'] as const
/** See `AGENT_TYPES`. */
export type AgentType = (typeof AGENT_TYPES)[number]

/** `summoning` while a model writes the files of a new agent, which has its templates meanwhile. */
export const AGENT_STATUSES = ['active', 'summoning'] as const
/** See `AGENT_STATUSES`. */
export type AgentStatus = (typeof AGENT_STATUSES)[number]

/** Letters, digits, dot, underscore, hyphen; no colon, since session keys are split at colons (spec 01, 1.1). */
export const AGENT_KEY_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

/** Settings of an agent that the features read; each feature documents its own. Unknown ones are kept. */
export const agentSettingsSchema = z.record(z.string(), z.unknown())

/** Someone that converses, works and remembers. */
export interface Agent {
  readonly id: string
  /** Unique within the tenant; see `AGENT_KEY_PATTERN`. Never shaped like a UUID. */
  readonly key: string
  readonly type: AgentType
  readonly displayName: string | undefined
  readonly description: string | undefined
  readonly status: AgentStatus
  /** What it is good at, in one or two sentences, for those who choose among agents. */
  readonly expertise: string | undefined
  readonly settings: Readonly<Record<string, unknown>>
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** What is given to make an agent. It is active unless told otherwise. */
export type NewAgent = Omit<Agent, 'status' | 'expertise' | 'createdAt' | 'updatedAt'> &
  Partial<Pick<Agent, 'status' | 'expertise'>>

/** What may be changed on an agent; undefined leaves it, null empties it. */
export interface AgentPatch {
  readonly type?: AgentType | undefined
  readonly displayName?: string | null | undefined
  readonly description?: string | null | undefined
  readonly status?: AgentStatus | undefined
  readonly expertise?: string | null | undefined
  readonly settings?: Readonly<Record<string, unknown>> | undefined
}

export interface AgentStore {
  /** @throws ConflictError when the key is taken. */
  create(agent: NewAgent): Promise<Agent>
  /** By key or by id. */
  find(keyOrId: string): Promise<Agent | undefined>
  /** Like `find` by id, and holds the agent until the end of the transaction, so that no other writer changes it in between. */
  lock(id: string): Promise<Agent | undefined>
  /** Ordered by key. */
  list(page: PageRequest): Promise<Page<Agent>>
  update(id: string, patch: AgentPatch): Promise<Agent | undefined>
  /** Deletes the agent and everything that belongs to it; undefined when there is no such agent. Needs access to every user. */
  delete(id: string): Promise<DeletionReceipt | undefined>
}
