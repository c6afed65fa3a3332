import type { Agent, AgentUser, StoredContextFile, Stores } from '@loam/storage'
import { seedText } from './seed-user-files.js'
import { isBlankProfile } from './user-profile.js'
import { endRitual } from './write-context-file.js'

/** Turns after which a first meeting is over, whether the model ended it or not (spec 01, 1.6). */
const LAST_TURN = 3
/** The turn at which a model that has written nothing is reminded. */
const REMINDED_TURN = 2

/** What a turn of a first meeting comes to. */
export interface RitualTurn {
  /** Whether the ritual has ended with this turn. */
  readonly ended: boolean
  /** To be appended to the conversation as a message of the user's role, for the model alone. */
  readonly nudge?: string | undefined
}

const REMINDER = `[System note, not from the user] You are still getting to know each other and have written nothing down yet. Write what you have learned so far into your files now, without mentioning it, and go on with the conversation. When you know enough, write BOOTSTRAP.md with empty content.`
const BLANK_PROFILE = `[System note, not from the user] The first meeting is over, but USER.md still says nothing about the user. When it fits the conversation, find out what to call them and in which time zone they live, and write it into USER.md.`

/** Whether the meeting is over with the turn that comes next, for those who look ahead. */
export function endsWithNextTurn(user: AgentUser | undefined): boolean {
  return user !== undefined && user.turns + 1 >= LAST_TURN
}

/** Counts a turn of a direct conversation in which `BOOTSTRAP.md` is still there, and ends the ritual when it has lasted long enough. */
export async function countRitualTurn(
  stores: Pick<Stores, 'contextFiles' | 'agentUsers'>,
  {
    agent,
    userId,
    turnId,
    files,
    shared,
    now,
  }: {
    readonly agent: Pick<Agent, 'id' | 'type'>
    readonly userId: string
    /** The same for a turn that is told twice. */
    readonly turnId: string
    /** The user's files. */
    readonly files: readonly Pick<StoredContextFile, 'name' | 'content'>[]
    /** The agent's own. */
    readonly shared: readonly Pick<StoredContextFile, 'name' | 'content'>[]
    readonly now: Date
  },
): Promise<RitualTurn> {
  await stores.agentUsers.ensure(agent.id, userId)
  const turns = await stores.agentUsers.countTurn(agent.id, userId, turnId)
  if (turns >= LAST_TURN) {
    await endRitual(stores, { agentId: agent.id, userId, now })
    const profile = files.find(({ name }) => name === 'USER.md')?.content ?? ''
    return { ended: true, ...(isBlankProfile(profile) && { nudge: BLANK_PROFILE }) }
  }
  const hasWritten = files.some(
    ({ name, content }) =>
      name !== 'BOOTSTRAP.md' && content.trim() !== seedText(name, agent, shared).trim(),
  )
  return { ended: false, ...(turns === REMINDED_TURN && !hasWritten && { nudge: REMINDER }) }
}
