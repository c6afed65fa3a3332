import { ForbiddenError, InvalidInputError, isGroupUser } from '@loam/core'
import type { Agent, StoredContextFile, Stores } from '@loam/storage'
import { checkContextFile, type ContextFileName } from './file-names.js'
import { checkGroupChange, editorsOf, type GroupSender, type MayEditGroup } from './group-gate.js'
import { putChecked, type FileCheck } from './put-checked.js'
import { readContextFileSettings } from './settings.js'

/** What an agent's tool, or a user, wants to write. */
export interface WriteRequest {
  readonly agent: Pick<Agent, 'id' | 'type' | 'settings'>
  /** `''` is nobody: only the ritual's end and what is nobody's own can be refused for it, never taken for everyone's. */
  readonly userId: string
  readonly name: ContextFileName
  readonly content: string
  /** Who spoke, in a group. */
  readonly sender?: GroupSender | undefined
  /** Whether what is read of the file at present may be written over. Default: whatever it says. */
  readonly check?: FileCheck | undefined
  /** When the work began that writes; see `Scope.sinceErasure`. */
  readonly sinceErasure?: number | undefined
  readonly now: Date
}

/** What came of a write. */
export type WriteResult =
  | { readonly outcome: 'written'; readonly file: StoredContextFile }
  /** The first-run ritual has ended: `BOOTSTRAP.md` is gone for good. */
  | { readonly outcome: 'onboarded' }

/**
 * Writes a file as the agent's own tool may. The order of the rules is the contract (spec 01, 1.5): the group's gate;
 * the empty `BOOTSTRAP.md` that ends the ritual; what a predefined agent is; and last, whose file it is.
 *
 * @param mayEdit says who may change the files of a group. Default: the agent's settings.
 * @throws ForbiddenError for what may not be written, with the reason in words for the model.
 * @throws InvalidInputError without a user, for what is a user's own.
 */
export async function writeContextFile(
  stores: Pick<Stores, 'contextFiles' | 'agentUsers'>,
  { agent, userId, name, content, sender = {}, check, now }: WriteRequest,
  mayEdit?: MayEditGroup,
): Promise<WriteResult> {
  checkContextFile(name, content)
  const { settings } = readContextFileSettings(agent.settings)
  await checkGroupChange(name, userId, { sender, mayEdit: mayEdit ?? editorsOf(settings) })
  if (name === 'BOOTSTRAP.md' && content.trim() === '') {
    requireUser(userId, name)
    check?.(await stores.contextFiles.find(agent.id, userId, name))
    await endRitual(stores, { agentId: agent.id, userId, now })
    return { outcome: 'onboarded' }
  }
  if (agent.type === 'predefined') {
    if (name === 'SOUL.md' && settings.selfEvolve) return await put('')
    if (name !== 'USER.md') throw refusal(name)
  }
  requireUser(userId, name)
  checkUserLevel(name)
  if (name === 'BOOTSTRAP.md') await checkMeeting(stores, agent.id, userId)
  return await put(userId)

  async function put(owner: string): Promise<WriteResult> {
    const shared = check && (await stores.contextFiles.find(agent.id, '', name))
    const file = { agentId: agent.id, userId: owner, name, content }
    return { outcome: 'written', file: await putChecked(stores, file, check, shared) }
  }
}

/** Ends the first-run ritual of a user: its file goes, and never comes back. Returns whether there was one. */
export async function endRitual(
  stores: Pick<Stores, 'contextFiles' | 'agentUsers'>,
  { agentId, userId, now }: { agentId: string; userId: string; now: Date },
): Promise<boolean> {
  // The record is locked first, as by whoever seeds, so that a late seed finds the ritual ended.
  await stores.agentUsers.ensure(agentId, userId)
  await stores.agentUsers.completeOnboarding(agentId, userId, now)
  return await stores.contextFiles.delete(agentId, userId, 'BOOTSTRAP.md')
}

/** @throws ForbiddenError unless the user's first meeting lasts: it is changed while it is held, and not invented. */
async function checkMeeting(
  stores: Pick<Stores, 'contextFiles' | 'agentUsers'>,
  agentId: string,
  userId: string,
): Promise<void> {
  await checkRitual(stores, agentId, userId)
  if (await stores.contextFiles.find(agentId, userId, 'BOOTSTRAP.md')) return
  throw new ForbiddenError({
    message: 'There is no first meeting with this user, so BOOTSTRAP.md cannot be written.',
  })
}

/** @throws ForbiddenError for a group, and when the user's first meeting is over, since it does not come back. */
export async function checkRitual(
  stores: Pick<Stores, 'agentUsers'>,
  agentId: string,
  userId: string,
): Promise<void> {
  if (isGroupUser(userId)) {
    throw new ForbiddenError({
      message: 'A group holds no first meeting, so it has no BOOTSTRAP.md.',
    })
  }
  const user = await stores.agentUsers.find(agentId, userId)
  if (user?.onboardedAt === undefined) return
  throw new ForbiddenError({
    message: 'The first meeting with this user is over, and BOOTSTRAP.md does not come back.',
  })
}

/** @throws InvalidInputError without a user, for what is a user's own. */
export function requireUser(userId: string, name: ContextFileName): void {
  if (userId !== '') return
  const message = `${name} belongs to a user. Say whose it is; without a user, nothing is written for everyone.`
  throw new InvalidInputError({ message, issues: [{ path: 'userId', message: 'Is required' }] })
}

/** @throws InvalidInputError for a file that only an agent has. */
export function checkUserLevel(name: ContextFileName): void {
  if (name !== 'USER_PREDEFINED.md') return
  const message = 'USER_PREDEFINED.md is for all users of an agent. Write USER.md for one user.'
  throw new InvalidInputError({ message, issues: [{ path: 'name', message }] })
}

/** @throws InvalidInputError for a file that only users have. */
export function checkAgentLevel(name: ContextFileName): void {
  if (name !== 'BOOTSTRAP.md') return
  const message =
    'BOOTSTRAP.md belongs to each user, for the first meeting. Write AGENTS.md or USER_PREDEFINED.md for all of them.'
  throw new InvalidInputError({ message, issues: [{ path: 'name', message }] })
}

function refusal(name: ContextFileName): ForbiddenError {
  return new ForbiddenError({
    message:
      name === 'BOOTSTRAP.md'
        ? 'BOOTSTRAP.md cannot be rewritten. Write it with empty content when you have got to know the user; that ends the first meeting.'
        : `${name} is part of the configuration of this predefined agent, which only its owner can edit, from outside the conversation.`,
  })
}
