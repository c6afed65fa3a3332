import type { Agent } from './agents.js'

/** Says that one agent may hand work to another. */
export interface AgentLink {
  readonly fromAgentId: string
  readonly toAgentId: string
  /** What the other one is for, in the eyes of the first. Default: its own description. */
  readonly description: string | undefined
  readonly createdAt: Date
}

/** A link with the agent that it leads to. */
export interface AgentLinkTarget extends AgentLink {
  readonly target: Pick<Agent, 'id' | 'key' | 'displayName' | 'description'>
}

export interface AgentLinkStore {
  /** Makes a link, or changes its description. @throws NotFoundError when one of the two agents does not exist. */
  put(link: Omit<AgentLink, 'createdAt'>): Promise<AgentLink>
  /** Where the links of an agent lead, by the key of the target. */
  list(fromAgentId: string): Promise<readonly AgentLinkTarget[]>
  /** Returns false when there is no such link. */
  delete(fromAgentId: string, toAgentId: string): Promise<boolean>
}
