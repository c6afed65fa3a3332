import { InvalidInputError, isStorableText, toStorableText } from '@loam/core'
import type { GenerateId, InputIssue, Scope } from '@loam/core'
import {
  MAX_SESSION_KEY_LENGTH,
  SESSION_KINDS,
  sessionKindOf,
  type NewSession,
} from '@loam/storage'
import type { SessionInput } from '../memory.js'
import { metadataIssue, storableMetadata } from '../metadata.js'
import { checkTimezone } from '../timezone.js'

/** Longest title and channel of a session. */
export const MAX_SESSION_TITLE_LENGTH = 500
const MAX_CONTEXT_WINDOW = 1_000_000_000

/** Checks a session and completes it with an id and a kind. @throws InvalidInputError that names every fault. */
export function checkSession(
  session: SessionInput,
  scope: Scope,
  generateId: GenerateId,
): NewSession {
  const { key, kind, channel, timezone, contextWindow, title } = session
  const issues: InputIssue[] = []
  const check = (holds: boolean, field: string, message: string) => {
    if (!holds) issues.push({ path: `session.${field}`, message })
  }
  check(
    isText(key, MAX_SESSION_KEY_LENGTH) && key !== '' && isStorableText(key),
    'key',
    `Must be text of 1 to ${MAX_SESSION_KEY_LENGTH} characters, without NUL or broken surrogates.`,
  )
  // A client that resolves paths would never reach them.
  check(key !== '.' && key !== '..', 'key', 'May not be "." or "..".')
  check(
    kind === undefined || SESSION_KINDS.includes(kind),
    'kind',
    `Must be one of ${SESSION_KINDS.join(', ')}.`,
  )
  for (const [field, value] of Object.entries({ channel, title })) {
    const rule = `Must be text of at most ${MAX_SESSION_TITLE_LENGTH} characters.`
    check(value === undefined || isText(value, MAX_SESSION_TITLE_LENGTH), field, rule)
  }
  check(
    contextWindow === undefined || isWindow(contextWindow),
    'contextWindow',
    'Must be a whole number of tokens above 0.',
  )
  const issue = metadataIssue(session.metadata, 'session.metadata')
  if (issue !== undefined) issues.push(issue)
  const [first] = issues
  if (first !== undefined) {
    throw new InvalidInputError({ message: `${first.path}: ${first.message}`, issues })
  }
  if (timezone !== undefined) checkTimezone(timezone)
  return {
    id: generateId(),
    agentId: scope.agentId,
    key,
    userId: scope.userId,
    kind: kind ?? sessionKindOf(key, scope.userId),
    ...withoutUndefined({
      channel: channel === undefined ? undefined : toStorableText(channel),
      timezone,
      contextWindow,
      title: title === undefined ? undefined : toStorableText(title),
      metadata: storableMetadata(session.metadata),
    }),
  }
}

function isWindow(size: number): boolean {
  return Number.isInteger(size) && size > 0 && size <= MAX_CONTEXT_WINDOW
}

function isText(value: unknown, maxLength: number): boolean {
  return typeof value === 'string' && value.length <= maxLength
}

function withoutUndefined<Value extends object>(value: Value) {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as {
    [Key in keyof Value]?: Exclude<Value[Key], undefined>
  }
}
