import { toInputIssues } from '@loam/core'
import { MESSAGE_ORIGINS, MESSAGE_ROLES, messagePartSchema, toolCallSchema } from '@loam/storage'
import { z } from 'zod'
import {
  BadRecord,
  isObject,
  kindOf,
  type ImportedMessage,
  type ImportedSession,
  type Importer,
  type ImporterOptions,
  type ImportRecord,
} from './import-record.js'
import { linesOf } from './lines.js'
import { readOpenAiMessage } from './openai-message.js'
import { readTime } from './read-time.js'

const lineSchema = z.strictObject({
  id: z.string().min(1).optional(),
  role: z.enum(MESSAGE_ROLES),
  content: z.union([z.string(), z.null(), z.array(messagePartSchema)], {
    error: 'must be text, an array of parts, or null',
  }),
  name: z.string().optional(),
  senderId: z.string().optional(),
  toolCalls: z.array(toolCallSchema).optional(),
  toolCallId: z.string().optional(),
  origin: z.enum(MESSAGE_ORIGINS).optional(),
  createdAt: z.union([z.string(), z.number()]).optional(),
  // Not `z.record`, which drops a field named "__proto__" in silence; so the API can refuse it.
  metadata: z.custom<Record<string, unknown>>(isObject, 'must be an object').optional(),
})

/**
 * Reads JSON Lines: one message a line, in Loam's shape or in OpenAI's, each with an optional `session` and `userId`; or
 * one conversation a line, as `{ "messages": [...] }`.
 */
export const readJsonLines: Importer = async function* (chunks, options) {
  let number = 0
  const open = new Map<string, ImportedSession>()
  for await (const line of linesOf(chunks)) {
    number += 1
    if (line.trim() === '') continue
    for (const record of readLine(line, number, options)) {
      if (record.type === 'message') {
        open.set(JSON.stringify([record.session.userId, record.session.key]), record.session)
      }
      yield record
    }
  }
  // Lines of several sessions may be mixed, so only the end of the file ends them.
  for (const session of open.values()) yield { type: 'session-end', session }
}

function* readLine(
  line: string,
  number: number,
  options: ImporterOptions,
): Generator<ImportRecord> {
  const place = `line ${number}`
  try {
    const value = parseLine(line)
    const { session: key, userId: user, ...fields } = value
    const session = {
      key: optionalText(key, 'session') ?? options.sessionKey,
      userId: optionalText(user, 'userId') ?? options.userId,
    }
    if (Array.isArray(fields['messages'])) {
      const own =
        key === undefined ? { ...session, key: `${options.sessionKey}:${number}` } : session
      yield* readConversation(fields['messages'], place, own)
    } else {
      yield { type: 'message', place, session, message: readMessage(fields) }
    }
  } catch (error) {
    if (!(error instanceof BadRecord)) throw error
    yield { type: 'bad', place, problem: error.message }
  }
}

function parseLine(line: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    throw new BadRecord(`is not valid JSON: ${error instanceof Error ? error.message : ''}`)
  }
  if (!isObject(value)) throw new BadRecord(`holds ${kindOf(value)}; a message is an object`)
  return value
}

function optionalText(value: unknown, field: string): string | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'string' && value !== '') return value
  throw new BadRecord(`${field} must be a text, and not an empty one`)
}

function* readConversation(
  messages: readonly unknown[],
  place: string,
  session: ImportedSession,
): Generator<ImportRecord> {
  for (const [index, value] of messages.entries()) {
    const here = `${place}, message ${index + 1}`
    try {
      yield { type: 'message', place: here, session, message: readOpenAiMessage(value) }
    } catch (error) {
      if (!(error instanceof BadRecord)) throw error
      yield { type: 'bad', place: here, problem: error.message }
    }
  }
}

function readMessage(fields: Record<string, unknown>): ImportedMessage {
  if (isOpenAiStyle(fields)) return readOpenAiMessage(fields)
  const parsed = lineSchema.safeParse(fields)
  if (!parsed.success) {
    throw new BadRecord(
      toInputIssues(parsed.error)
        .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
        .join('; '),
    )
  }
  const { createdAt, ...message } = parsed.data
  const time = readTime(createdAt)
  return { ...message, ...(time !== undefined && { createdAt: time }) }
}

const OPENAI_FIELDS = ['tool_calls', 'tool_call_id', 'function_call', 'refusal', 'created_at']
const OPENAI_ROLES = new Set<unknown>(['developer', 'function'])
const OWN_PART_TYPES = new Set<unknown>(['text', 'image', 'file'])

function isOpenAiStyle({ role, content, ...others }: Record<string, unknown>): boolean {
  return (
    OPENAI_FIELDS.some((field) => field in others) ||
    OPENAI_ROLES.has(role) ||
    (Array.isArray(content) &&
      content.some((part: unknown) => isObject(part) && !OWN_PART_TYPES.has(part['type'])))
  )
}
