import { z } from 'zod'
import { isStorableText } from './well-formed.js'

/** Longest user id, in UTF-16 code units (spec 06, section 8). */
export const MAX_USER_ID_LENGTH = 255

/**
 * Whose data a piece of work may touch.
 *
 * `userId` `''` is the part of an agent that all its users share; it never means "all users".
 */
export interface Scope {
  readonly tenantId: string
  readonly agentId: string
  readonly userId: string
  /**
   * Number of the last erasure that was known when the work began: what it would write about a user who was erased later is
   * refused. Default: each call begins by itself.
   */
  readonly sinceErasure?: number | undefined
}

/** The `userId` of what all users of an agent share. */
export const SHARED_USER_ID = ''

/** Whether a user is a group of people, as a chat platform has them; their sessions are a group's. */
export function isGroupUser(userId: string): boolean {
  return userId.startsWith('group:') || userId.startsWith('guild:')
}

/**
 * Why a text cannot be the id of a user; undefined when it can. It is refused rather than cleaned, which could make it another
 * user's; and `.` and `..` would lead a path to other things than the user's.
 */
export function userIdFault(userId: string): string | undefined {
  if (!isStorableText(userId)) {
    return 'May not contain NUL or half of a surrogate pair, nor begin with a byte order mark'
  }
  if (userId.length > MAX_USER_ID_LENGTH) {
    return `May have ${MAX_USER_ID_LENGTH} UTF-16 code units at most`
  }
  return userId === '.' || userId === '..' ? 'May not be "." or ".."' : undefined
}

/** Checks a scope that arrives from outside, such as in a job payload. */
export const scopeSchema = z.strictObject({
  tenantId: z.uuid(),
  agentId: z.uuid(),
  userId: z.string().superRefine((userId, context) => {
    const message = userIdFault(userId)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  }),
  sinceErasure: z.int().min(0).optional(),
})
