import { z } from '@hono/zod-openapi'
import { isStorableText, MAX_USER_ID_LENGTH, toStorableText, userIdFault } from '@loam/core'
import { AGENT_KEY_PATTERN, MAX_SESSION_KEY_LENGTH } from '@loam/storage'
import { jsonFault } from './json-fault.js'

const IDENTIFIER_RULE =
  'May not contain NUL or half of a surrogate pair, nor begin with a byte order mark'

/** A name that a client gives a thing: refused, not cleaned, when it cannot be stored, since cleaning could make two equal. */
export function identifierSchema(maxLength: number) {
  return z.string().min(1).max(maxLength).refine(isStorableText, IDENTIFIER_RULE)
}

/** A text that is stored as it is, without what cannot be stored. */
export function textSchema(maxLength: number) {
  return z.string().max(maxLength).overwrite(toStorableText)
}

/** An object of the client's own, kept and given back. */
export const jsonObjectSchema = z
  .custom<Readonly<Record<string, unknown>>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'Must be an object',
  )
  .superRefine((value, context) => {
    const fault = jsonFault(value)
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault })
  })
  .openapi({ type: 'object', additionalProperties: true })

const FIRST_YEAR = 1
const LAST_YEAR = 9999

/** A moment, ISO 8601 with an offset. */
export const instantSchema = z.iso
  .datetime({
    offset: true,
    error: 'Must be ISO 8601 with an offset, such as 2026-11-30T09:00:00Z',
  })
  .transform((text) => new Date(text))
  .refine((date) => {
    const year = date.getUTCFullYear()
    return year >= FIRST_YEAR && year <= LAST_YEAR
  }, `Must lie in the years ${FIRST_YEAR} to ${LAST_YEAR}`)

/** A moment in an answer, ISO 8601 in UTC. */
export const answeredInstantSchema = z.iso.datetime()

/** An IANA time zone. */
export const timezoneSchema = z
  .string()
  .min(1)
  .max(100)
  .refine(isTimezone, 'Must be an IANA time zone, such as Europe/Berlin')
  .openapi({ example: 'Europe/Berlin' })

/** A user of the tenant; `''` is the part that all users of an agent share. */
export const userIdSchema = z
  .string()
  .superRefine((userId, context) => {
    const message = userIdFault(userId)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })
  .openapi({
    maxLength: MAX_USER_ID_LENGTH,
    description: 'May be left out when the key is bound to a user.',
    example: 'user-1',
  })

/** An agent, by key or id. */
export const agentReferenceSchema = z
  .string()
  .regex(AGENT_KEY_PATTERN, 'Must be the key or the id of an agent')
  .openapi({ description: "The agent's key or id.", example: 'assistant' })

/** The client's own name of a session. In a URL it is percent-encoded, also its slashes. */
export const sessionKeySchema = identifierSchema(MAX_SESSION_KEY_LENGTH)
  // The limit is in UTF-16 code units, and zod counts code points.
  .refine(
    (key) => key.length <= MAX_SESSION_KEY_LENGTH,
    `May have ${MAX_SESSION_KEY_LENGTH} UTF-16 code units at most`,
  )
  .refine((key) => key !== '.' && key !== '..', 'May not be "." or ".."')
  .openapi({ description: "The session's key, percent-encoded.", example: 'chat-1' })

/** Path parameters of what belongs to an agent. */
export const agentParams = z.strictObject({ agent: agentReferenceSchema })

/** Path parameters of what belongs to a session. */
export const sessionParams = agentParams.extend({ session: sessionKeySchema })

/** For routes without query parameters, so that one which is given is refused by its name. */
export const noQuery = z.strictObject({})

/** Whose things are meant, where a key for every user may leave it open. */
export const ownerQuery = z.strictObject({ userId: userIdSchema.optional() })

/** Whose things to list: one user's, or plainly everybody's. */
export const listOwnerFields = {
  userId: userIdSchema.optional(),
  allUsers: z.enum(['true', 'false']).optional().openapi({
    description: 'Lists those of every user. Needs a key that is not bound to a user.',
  }),
}

/** Which part of a list is wanted. */
export const pageFields = {
  limit: z
    .string()
    .regex(/^\d+$/, 'Must be a whole number in decimal digits')
    .transform(Number)
    .pipe(z.int().min(1).max(200))
    .default(50)
    .openapi({ type: 'integer', minimum: 1, maximum: 200, default: 50 }),
  cursor: z
    .string()
    .min(1)
    .max(2048)
    .refine(isStorableText, 'Must be the nextCursor of the page before')
    .optional()
    .openapi({ description: '`nextCursor` of the page before.' }),
}

/** A part of a list. */
export function pageSchema<Item extends z.ZodType>(item: Item) {
  return z.strictObject({
    items: z.array(item),
    nextCursor: z.string().optional().openapi({ description: 'Present when there is more.' }),
  })
}

/** What a deletion removed. */
export const deletionReceiptSchema = z
  .strictObject({
    agents: z.int(),
    contextFiles: z.int(),
    sessions: z.int(),
    messages: z.int(),
    runs: z.int(),
    documents: z.int(),
    episodes: z.int(),
    chunks: z.int(),
    vectors: z.int(),
  })
  .openapi('DeletionReceipt', { description: 'How many rows of each kind were deleted.' })

/** A byte order mark comes from a file read badly, and PGlite loses it on the way back. */
function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
