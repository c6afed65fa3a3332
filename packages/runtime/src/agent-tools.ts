import type { ContextFiles } from '@loam/bootstrap'
import type { AgentTool } from '@loam/core'
import { createMemoryTools, type Memory, type SearchResult } from '@loam/memory'
import { createSkillTools, type Skills } from '@loam/skills'
import type { Agent } from '@loam/storage'
import { createFileTools } from './file-tools.js'
import { skillRequestOf } from './turn-skills.js'

/** For whom tools act. */
export interface AgentToolsRequest {
  readonly tenantId: string
  readonly agent: Agent
  /** `''` is nobody in particular, who has what all users share. */
  readonly userId: string
  /** When the work began; see `Scope.sinceErasure`. Default: each call of a tool begins by itself. */
  readonly sinceErasure?: number | undefined
  /** Who speaks, when the user is a group. */
  readonly senderId?: string | undefined
  /** IANA zone in which dates like "last week" are meant. Default UTC. */
  readonly timezone?: string | undefined
  /** Takes the place of the agent's list of skills; never reaches beyond what may be used. */
  readonly skillFilter?: readonly string[] | null | undefined
  /** Whether the filter takes away from the agent's list, and adds nothing to it. Default false. */
  readonly skillFilterNarrows?: boolean | undefined
  /** What a search of memory does not tell, such as what the conversation shows already. Default: nothing. */
  readonly leaveOut?: ((result: SearchResult) => boolean) | undefined
}

/** What the tools work with. */
export interface AgentToolsOptions {
  readonly memory: Memory
  readonly contextFiles: ContextFiles
  readonly skills: Skills
}

/**
 * The tools that Loam gives an agent for one user: `memory_search`, `memory_get`, `skill_search`, `use_skill`, `read_file` and
 * `write_file`. Whatever a model calls them with, they reach what this agent and this user may reach.
 */
export function createAgentTools(
  { memory, contextFiles, skills }: AgentToolsOptions,
  request: AgentToolsRequest,
): readonly AgentTool[] {
  const { tenantId, agent, userId, senderId, timezone, leaveOut } = request
  const { sinceErasure } = request
  const scope = { tenantId, agentId: agent.id, userId, sinceErasure }
  return [
    ...createMemoryTools(memory, { scope, timezone, leaveOut }),
    ...createSkillTools(skills, skillRequestOf(request)),
    ...createFileTools({ contextFiles, memory, tenantId, agent, userId, senderId, sinceErasure }),
  ]
}
