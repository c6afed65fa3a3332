import type { Agent, Stores } from '@loam/storage'
import type { ContextFileName } from './file-names.js'
import { checkGroupChange, editorsOf, type GroupSender, type MayEditGroup } from './group-gate.js'
import { readContextFileSettings } from './settings.js'
import { endRitual, requireUser } from './write-context-file.js'

/** Which file of a user is to go, and who says so. */
export interface DeleteRequest {
  readonly agent: Pick<Agent, 'id' | 'settings'>
  readonly userId: string
  readonly name: ContextFileName
  /** Who spoke, in a group. */
  readonly sender?: GroupSender | undefined
  readonly now: Date
}

/**
 * Deletes a user's own file, by the same gate as a write; never one of the agent's. A first meeting whose file is deleted has
 * ended, or it would be written again.
 *
 * @returns false when there is none.
 * @throws ForbiddenError for the file of a group whose sender may not change it.
 * @throws InvalidInputError without a user.
 */
export async function deleteContextFile(
  stores: Pick<Stores, 'contextFiles' | 'agentUsers'>,
  { agent, userId, name, sender = {}, now }: DeleteRequest,
  mayEdit?: MayEditGroup,
): Promise<boolean> {
  requireUser(userId, name)
  const { settings } = readContextFileSettings(agent.settings)
  await checkGroupChange(name, userId, { sender, mayEdit: mayEdit ?? editorsOf(settings) })
  if (name !== 'BOOTSTRAP.md') return await stores.contextFiles.delete(agent.id, userId, name)
  return await endRitual(stores, { agentId: agent.id, userId, now })
}
