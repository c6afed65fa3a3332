import { isGroupUser } from '@loam/core'
import type { Agent, AgentUser, StoredContextFile, Stores } from '@loam/storage'
import { TEMPLATE_FILE_NAMES, type ContextFile } from './file-names.js'
import { prefilledProfile } from './user-profile.js'
import { templateOf } from './templates/index.js'

/** What a channel knows of a user whom the agent has not met. */
export interface KnownUser {
  readonly displayName?: string | undefined
  readonly timezone?: string | undefined
  readonly language?: string | undefined
}

/** Whose files are to be filled in. */
export interface SeedUserRequest {
  readonly agent: Pick<Agent, 'id' | 'type'>
  /** `''` is nobody, and gets no files. */
  readonly userId: string
  readonly now: Date
  /** With a name and a time zone, the profile is filled in from them and there is no first-run ritual. */
  readonly known?: KnownUser | undefined
}

/**
 * Gives a user the files that are missing at the first meeting, and nothing at any later one.
 *
 * First messages that come at once take turns at the user's record, so each file is written once. `BOOTSTRAP.md` is
 * written only while the record says that the ritual has not ended: it never comes back.
 *
 * @returns the names of the files that were written.
 */
export async function seedUserFiles(
  stores: Pick<Stores, 'contextFiles' | 'agentUsers'>,
  { agent, userId, now, known }: SeedUserRequest,
): Promise<readonly string[]> {
  if (userId === '') return []
  const { user, created } = await stores.agentUsers.ensure(agent.id, userId)
  const present = await stores.contextFiles.list(agent.id, userId)
  if (!created && present.length > 0) return []
  const shared = await stores.contextFiles.list(agent.id, '')
  const files = filesFor({ agent, shared, userId, user, known })
  const written = await stores.contextFiles.putMissing(agent.id, userId, files)
  const hasRitual =
    written.includes('BOOTSTRAP.md') || present.some(({ name }) => name === 'BOOTSTRAP.md')
  if (!hasRitual) await stores.agentUsers.completeOnboarding(agent.id, userId, now)
  return written
}

/** The files of a new user, without writing them: what a turn goes on with when they cannot be stored. */
export function filesFor({
  agent,
  shared,
  userId,
  user,
  known = {},
}: {
  readonly agent: Pick<Agent, 'type'>
  readonly userId: string
  /** The agent's own files. */
  readonly shared: readonly Pick<StoredContextFile, 'name' | 'content'>[]
  /** What is recorded of the user; a first meeting that is over is not held again. */
  readonly user: Pick<AgentUser, 'onboardedAt'> | undefined
  readonly known?: KnownUser | undefined
}): readonly ContextFile[] {
  if (agent.type === 'predefined' && hasOwnRules(shared)) return []
  // An open agent is a person's own, so each user has the whole set (seed, section 3).
  const names = agent.type === 'open' ? TEMPLATE_FILE_NAMES : (['USER.md', 'BOOTSTRAP.md'] as const)
  const isKnown = Boolean(known.displayName?.trim() && known.timezone)
  // A group holds no first meeting, so its ritual could never end.
  const meets = !isKnown && !isGroupUser(userId) && user?.onboardedAt === undefined
  return names
    .filter((name) => name !== 'BOOTSTRAP.md' || meets)
    .map((name) => {
      const isPrefilled = name === 'USER.md' && isKnown
      return {
        name,
        content: isPrefilled ? prefilledProfile(known) : seedText(name, agent, shared),
      }
    })
}

/** What a file says at the beginning: what the operator wrote for all users, else the template. */
export function seedText(
  name: string,
  { type }: Pick<Agent, 'type'>,
  shared: readonly Pick<StoredContextFile, 'name' | 'content'>[],
): string {
  const written = shared.find((file) => file.name === name)?.content ?? ''
  return written.trim() === '' ? templateOf(name, type) : written
}

/** Whether an operator wrote how users are to be treated: then nobody is asked to fill in a profile (spec 01, 1.4). */
function hasOwnRules(shared: readonly Pick<StoredContextFile, 'name' | 'content'>[]): boolean {
  const rules = shared.find(({ name }) => name === 'USER_PREDEFINED.md')?.content.trim() ?? ''
  return rules !== '' && rules !== templateOf('USER_PREDEFINED.md', 'predefined').trim()
}
