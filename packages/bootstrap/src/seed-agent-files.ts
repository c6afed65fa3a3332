import type { Agent, Stores } from '@loam/storage'
import { templateOf } from './templates/index.js'

/** What a predefined agent has of its own from the start (seed, section 3). */
export const AGENT_LEVEL_FILE_NAMES = [
  'AGENTS.md',
  'SOUL.md',
  'IDENTITY.md',
  'USER_PREDEFINED.md',
] as const

/**
 * Gives a predefined agent its templates; an open one has none of its own. A file that says something is never touched.
 *
 * @returns the names of the files that were written.
 */
export async function seedAgentFiles(
  stores: Pick<Stores, 'contextFiles'>,
  agent: Pick<Agent, 'id' | 'type'>,
): Promise<readonly string[]> {
  if (agent.type === 'open') return []
  const files = AGENT_LEVEL_FILE_NAMES.map((name) => ({
    name,
    content: templateOf(name, agent.type),
  }))
  return await stores.contextFiles.putMissing(agent.id, '', files)
}
