import { z } from 'zod'

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
}

/** The `userId` of what all users of an agent share. */
export const SHARED_USER_ID = ''

/** Checks a scope that arrives from outside, such as in a job payload. */
export const scopeSchema = z.strictObject({
  tenantId: z.uuid(),
  agentId: z.uuid(),
  userId: z.string().max(MAX_USER_ID_LENGTH),
})
