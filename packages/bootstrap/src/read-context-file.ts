import { ForbiddenError } from '@loam/core'
import type { Agent, StoredContextFile, Stores } from '@loam/storage'
import type { ContextFileName } from './file-names.js'
import { readContextFileSettings } from './settings.js'

/** Who reads a context file by a tool of the agent. */
export interface ReadRequest {
  readonly agent: Pick<Agent, 'id' | 'type' | 'settings'>
  /** `''` reads what is the agent's own. */
  readonly userId: string
  readonly name: ContextFileName
}

/**
 * Reads a file as the agent's own tool may: the user's, else the agent's. What a predefined agent is, it has in its
 * context and does not read (spec 01, 1.5).
 *
 * @returns undefined when there is no such file.
 * @throws ForbiddenError for what is part of a predefined agent's configuration.
 */
export async function readContextFile(
  stores: Pick<Stores, 'contextFiles'>,
  { agent, userId, name }: ReadRequest,
): Promise<StoredContextFile | undefined> {
  if (agent.type === 'predefined' && name !== 'USER.md' && name !== 'BOOTSTRAP.md') {
    const { selfEvolve } = readContextFileSettings(agent.settings).settings
    if (name !== 'SOUL.md' || !selfEvolve) {
      throw new ForbiddenError({
        message: `${name} is part of the agent's configuration, which is in its context already. There is no need to read it.`,
      })
    }
    return await stores.contextFiles.find(agent.id, '', name)
  }
  const [own, shared] = await Promise.all([
    userId === '' ? undefined : stores.contextFiles.find(agent.id, userId, name),
    stores.contextFiles.find(agent.id, '', name),
  ])
  return own ?? shared
}
