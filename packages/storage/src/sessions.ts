import { isGroupUser } from '@loam/core'
import type { DeletionReceipt } from './deletion.js'
import type { Page, PageRequest } from './page.js'

/** What a session is for; taken from its key unless given (spec 01, 1.1). */
export const SESSION_KINDS = ['direct', 'group', 'subagent', 'cron', 'heartbeat', 'team'] as const
/** See `SESSION_KINDS`. */
export type SessionKind = (typeof SESSION_KINDS)[number]

/** Longest session key, in UTF-16 code units. */
export const MAX_SESSION_KEY_LENGTH = 500

/**
 * The kind that a session key or its owner implies.
 *
 * A key `agent:<agent>:<rest>` is a subagent, cron, heartbeat or team session by the case-insensitive beginning of its rest; an
 * owner `group:…` or `guild:…` makes a group session; all others are direct (spec 01, 1.1).
 */
export function sessionKindOf(key: string, userId = ''): SessionKind {
  const parts = key.split(':')
  const rest =
    parts.length >= 3 && parts[0] === 'agent' ? parts.slice(2).join(':').toLowerCase() : ''
  if (rest.startsWith('subagent:')) return 'subagent'
  if (rest.startsWith('cron:')) return 'cron'
  if (rest.startsWith('heartbeat')) return 'heartbeat'
  if (rest.startsWith('team:')) return 'team'
  return isGroupUser(userId) ? 'group' : 'direct'
}

const CHAT_PREFIX = 'chat/'

/** Key of the session in which a user talks when none is named. Nobody else may make it; see `isReservedForOther`. */
export function chatSessionKey(userId: string): string {
  return `${CHAT_PREFIX}${userId}`
}

/**
 * Whether only another user may make a session of this key. A session belongs to whoever makes it first, so that a user could
 * otherwise take the session in which another one will talk.
 */
export function isReservedForOther(key: string, userId: string): boolean {
  return key.startsWith(CHAT_PREFIX) && key !== chatSessionKey(userId)
}

/** A conversation with one owner. */
export interface Session {
  readonly id: string
  readonly agentId: string
  /** The caller's own name for it, unique within the agent. */
  readonly key: string
  /** The owner, fixed when the session is created; `group:…` or `guild:…` for a group. */
  readonly userId: string
  readonly kind: SessionKind
  /** Where it takes place, such as `telegram`. */
  readonly channel: string | undefined
  /** IANA time zone of the owner, such as `Europe/Berlin`. */
  readonly timezone: string | undefined
  /** Tokens that the agent's model can take. */
  readonly contextWindow: number | undefined
  readonly title: string | undefined
  readonly metadata: Readonly<Record<string, unknown>>
  /** Sequence of its newest message; 0 when it has none. */
  readonly lastSequence: number
  /** Sequence up to which episodes were made of it, whether they are still there or not; 0 when none was. */
  readonly coveredSequence: number
  /** How many times something of it was forgotten. */
  readonly forgottenCount: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** What is given to make a session. */
export type NewSession = Pick<Session, 'id' | 'agentId' | 'key' | 'userId' | 'kind'> &
  Partial<Pick<Session, 'channel' | 'timezone' | 'contextWindow' | 'title' | 'metadata'>>

/** What may be changed on a session; undefined leaves it, null empties it. */
export interface SessionPatch {
  readonly channel?: string | null | undefined
  readonly timezone?: string | null | undefined
  readonly contextWindow?: number | null | undefined
  readonly title?: string | null | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}

export interface SessionStore {
  /**
   * Returns the session of that key, made from `session` if there was none.
   *
   * @throws NotFoundError when the key belongs to another user's session.
   * @throws ForbiddenError when there is none of this key, and it is reserved for another user (`isReservedForOther`).
   */
  ensure(session: NewSession): Promise<{ readonly session: Session; readonly created: boolean }>
  findByKey(agentId: string, key: string): Promise<Session | undefined>
  findById(id: string): Promise<Session | undefined>
  /** Like `findById`, and holds the session until the end of the transaction, so that no other writer moves its positions. */
  lock(id: string): Promise<Session | undefined>
  /** Like `findByKey`, and holds the session as `lock` does. */
  lockByKey(agentId: string, key: string): Promise<Session | undefined>
  /** Newest first. */
  list(agentId: string, page: PageRequest): Promise<Page<Session>>
  update(id: string, patch: SessionPatch): Promise<Session | undefined>
  /** Deletes the session and everything derived from it; undefined when there is none. */
  delete(id: string): Promise<DeletionReceipt | undefined>
}
