import { MESSAGE_ROLES, type MessagePart, type MessageRole, type ToolCall } from '@loam/storage'
import { headOf } from '@loam/text'
import { BadRecord, isObject, kindOf, type ImportedMessage } from './import-record.js'
import { readTime } from './read-time.js'

/** What an OpenAI-style role is called here. */
const ROLES: Readonly<Record<string, MessageRole>> = {
  ...Object.fromEntries(MESSAGE_ROLES.map((role) => [role, role])),
  developer: 'system',
  function: 'tool',
}

/**
 * Reads a message of OpenAI's chat format; what Loam has no field for is kept in `metadata`.
 *
 * @throws BadRecord
 */
export function readOpenAiMessage(value: unknown): ImportedMessage {
  if (!isObject(value)) throw new BadRecord(`is ${kindOf(value)}; a message is an object`)
  const { id, role, content, name, refusal, tool_calls, function_call, tool_call_id, ...others } =
    value
  const { created_at, createdAt, timestamp, create_time, ...rest } = others
  const known = typeof role === 'string' && Object.hasOwn(ROLES, role) ? ROLES[role] : undefined
  if (known === undefined) {
    throw new BadRecord(
      `role is ${role === undefined ? 'missing' : JSON.stringify(role)}; it must be one of ${Object.keys(ROLES).join(', ')}`,
    )
  }
  const toolCalls = readToolCalls(tool_calls, function_call)
  const time = readTime(created_at ?? createdAt ?? timestamp ?? create_time)
  return {
    ...(typeof id === 'string' && id !== '' && { id }),
    role: known,
    content: readContent(content ?? refusal ?? null),
    ...(typeof name === 'string' && name !== '' && { name }),
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(typeof tool_call_id === 'string' && { toolCallId: tool_call_id }),
    ...(known === 'system' && { origin: 'system' }),
    ...(time !== undefined && { createdAt: time }),
    ...(Object.keys(rest).length > 0 && { metadata: rest }),
  }
}

function readContent(content: unknown): ImportedMessage['content'] {
  if (content === null || typeof content === 'string') return content
  if (!Array.isArray(content)) {
    throw new BadRecord(
      `content is ${kindOf(content)}; it must be text, an array of parts, or null`,
    )
  }
  return content.map((part: unknown, index) => readPart(part, index))
}

function readPart(part: unknown, index: number): MessagePart {
  if (typeof part === 'string') return { type: 'text', text: part }
  if (!isObject(part)) throw new BadRecord(`content.${index} is ${kindOf(part)}, not a part`)
  const text = part['text'] ?? part['refusal']
  switch (part['type']) {
    case 'text':
    case 'input_text':
    case 'output_text':
    case 'refusal':
      if (typeof text === 'string') return { type: 'text', text }
      throw new BadRecord(`content.${index} has no text`)
    case 'image_url':
    case 'input_image':
    case 'image':
      return { type: 'image', ...urlOf(part['image_url'] ?? part['url']), ...captionOf(part) }
    case 'file':
    case 'input_file':
      return { type: 'file', ...fileOf(isObject(part['file']) ? part['file'] : part) }
    case 'input_audio':
    case 'audio':
      return { type: 'file', mediaType: 'audio', ...captionOf(part) }
    default:
      throw new BadRecord(
        `content.${index} has the type ${JSON.stringify(part['type'])}, which is not known`,
      )
  }
}

/** The reference to a picture; bytes written into the file as a `data:` URL are not kept. */
function urlOf(value: unknown): { url?: string } {
  const url = isObject(value) ? value['url'] : value
  return typeof url === 'string' && !url.startsWith('data:') && url.length <= 8192 ? { url } : {}
}

function captionOf(part: Record<string, unknown>): { caption?: string } {
  const caption = part['caption'] ?? part['transcript']
  return typeof caption === 'string' ? { caption } : {}
}

function fileOf(file: Record<string, unknown>): { name?: string; url?: string; caption?: string } {
  const name = file['filename'] ?? file['name'] ?? file['file_id']
  return {
    ...(typeof name === 'string' && { name: headOf(name, 1024) }),
    ...urlOf(file['file_url'] ?? file['url']),
    ...captionOf(file),
  }
}

function readToolCalls(calls: unknown, functionCall: unknown): readonly ToolCall[] {
  if (isObject(functionCall)) return [readFunction(functionCall, undefined, 'function_call')]
  if (calls === undefined || calls === null) return []
  if (!Array.isArray(calls)) throw new BadRecord(`tool_calls is ${kindOf(calls)}, not an array`)
  return calls.map((call: unknown, index) => {
    const called = isObject(call) ? (call['function'] ?? call['custom']) : undefined
    if (!isObject(call) || !isObject(called)) {
      throw new BadRecord(`tool_calls.${index} names no function`)
    }
    return readFunction(called, call['id'], `tool_calls.${index}`)
  })
}

function readFunction(called: Record<string, unknown>, id: unknown, where: string): ToolCall {
  const { name, arguments: input = called['input'] ?? '' } = called
  if (typeof name !== 'string') throw new BadRecord(`${where} has no function name`)
  return {
    id: typeof id === 'string' ? id : name,
    name,
    arguments: typeof input === 'string' ? input : JSON.stringify(input),
  }
}
