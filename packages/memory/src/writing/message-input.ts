import { InvalidInputError, isStorableText, toStorableJson, toStorableText } from '@loam/core'
import type { Clock, GenerateId, InputIssue } from '@loam/core'
import {
  MESSAGE_ORIGINS,
  MESSAGE_ROLES,
  messagePartSchema,
  toolCallSchema,
  type NewMessage,
} from '@loam/storage'
import { contentText } from '../indexing/message-text.js'
import { checkLimit, type MemoryLimits } from '../limits.js'
import type { MessageInput } from '../memory.js'
import { metadataIssue, storableMetadata } from '../metadata.js'

/** Longest id of a message, of a tool call, of a sender. */
export const MAX_MESSAGE_ID_LENGTH = 500
/** Longest display name of a speaker. */
export const MAX_NAME_LENGTH = 200
/** Most parts of one message, and most tool calls. */
export const MAX_MESSAGE_PARTS = 1000

const EARLIEST = Date.UTC(1970, 0, 1)
const LATEST = Date.UTC(9999, 11, 31)

/**
 * Checks a batch and completes it with ids and dates. Text is cleaned; ids are refused instead, since cleaning could make two equal.
 *
 * @throws InvalidInputError that names every fault.
 */
export function checkMessages(
  messages: readonly MessageInput[],
  { limits, clock, generateId }: CheckDependencies,
): readonly NewMessage[] {
  if (!Array.isArray(messages)) {
    const message = 'The messages must be an array.'
    throw new InvalidInputError({ message, issues: [{ path: 'messages', message }] })
  }
  const size = `The batch has ${messages.length} messages`
  checkLimit('messages', size, messages.length, limits.maxBatchSize)
  const issues = messages.flatMap((message, index) => messageIssues(message, `messages.${index}`))
  const [first] = issues
  if (first !== undefined) {
    const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : ''
    throw new InvalidInputError({ message: `${first.path}: ${first.message}${more}`, issues })
  }
  checkLengths(messages, limits)
  const now = clock.now()
  return messages.map((message) => completeMessage(message, now, generateId))
}

interface CheckDependencies {
  readonly limits: MemoryLimits
  readonly clock: Clock
  readonly generateId: GenerateId
}

function messageIssues(message: MessageInput, path: string): readonly InputIssue[] {
  if (typeof message !== 'object' || message === null) {
    return [{ path, message: 'A message must be an object.' }]
  }
  const issues: InputIssue[] = []
  const check = (holds: boolean, field: string, text: string) => {
    if (!holds) issues.push({ path: `${path}.${field}`, message: text })
  }
  const { id, role, content, name, senderId, toolCalls, toolCallId, origin, createdAt } = message
  for (const [field, value] of Object.entries({ id, senderId, toolCallId })) {
    const rule = `Must be text of 1 to ${MAX_MESSAGE_ID_LENGTH} characters, without NUL or broken surrogates.`
    check(value === undefined || isIdentifier(value), field, rule)
  }
  check(MESSAGE_ROLES.includes(role), 'role', `Must be one of ${MESSAGE_ROLES.join(', ')}.`)
  check(
    origin === undefined || MESSAGE_ORIGINS.includes(origin),
    'origin',
    `Must be one of ${MESSAGE_ORIGINS.join(', ')}.`,
  )
  check(
    name === undefined || (typeof name === 'string' && name.length <= MAX_NAME_LENGTH),
    'name',
    `Must be text of at most ${MAX_NAME_LENGTH} characters.`,
  )
  check(isContent(content), 'content', 'Must be a string, null, or an array of parts.')
  check(
    toolCalls === undefined ||
      isListOf(toolCalls, (call) => toolCallSchema.safeParse(call).success),
    'toolCalls',
    'Must be an array of { id, name, arguments }.',
  )
  check(
    createdAt === undefined || isSaneDate(createdAt),
    'createdAt',
    'Must be a date from 1970 to 9999.',
  )
  const issue = metadataIssue(message.metadata, `${path}.metadata`)
  return issue === undefined ? issues : [...issues, issue]
}

function isIdentifier(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    value.length >= 1 &&
    value.length <= MAX_MESSAGE_ID_LENGTH &&
    isStorableText(value)
  )
}

function isContent(content: unknown): boolean {
  if (typeof content === 'string' || content === null) return true
  return isListOf(content, (part) => messagePartSchema.safeParse(part).success)
}

function isListOf(value: unknown, holds: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.length <= MAX_MESSAGE_PARTS && value.every(holds)
}

function isSaneDate(date: unknown): boolean {
  if (!(date instanceof Date)) return false
  const time = date.getTime()
  return time >= EARLIEST && time <= LATEST
}

function checkLengths(messages: readonly MessageInput[], limits: MemoryLimits): void {
  let total = 0
  for (const [index, { content, toolCalls = [] }] of messages.entries()) {
    const calls = toolCalls.reduce((sum, call) => sum + call.arguments.length, 0)
    const length = contentText(content).length + calls
    const what = `The message ${index} has ${length} characters`
    checkLimit(`messages.${index}.content`, what, length, limits.maxMessageLength)
    total += length
  }
  const what = `The messages have ${total} characters together`
  checkLimit('messages', what, total, limits.maxBatchLength)
}

function completeMessage(message: MessageInput, now: Date, generateId: GenerateId): NewMessage {
  const { content, name, toolCalls } = message
  return {
    id: message.id ?? generateId(),
    role: message.role,
    content: typeof content === 'string' ? toStorableText(content) : toStorableJson(content),
    name: name === undefined ? undefined : toStorableText(name),
    senderId: message.senderId,
    toolCalls: toolCalls === undefined ? undefined : toStorableJson(toolCalls),
    toolCallId: message.toolCallId,
    origin: message.origin ?? 'conversation',
    createdAt: message.createdAt ?? now,
    metadata: storableMetadata(message.metadata),
  }
}
