import { MESSAGE_ROLES, type MessagePart, type MessageRole } from '@loam/storage'
import { BadRecord, isObject, kindOf, type ImportedMessage } from './import-record.js'
import { readTime } from './read-time.js'

/** Content that ChatGPT keeps beside the conversation: thoughts, settings, errors. It was never said. */
const UNSAID_CONTENT = new Set([
  'thoughts',
  'reasoning_recap',
  'user_editable_context',
  'model_editable_context',
  'system_error',
])

/** Marks of citations and widgets, such as `\uE200cite\uE202turn0search1\uE201`, which no font shows. */
const RENDERING_MARKS = /\uE200[^\uE200\uE201]{0,2000}\uE201/g

/**
 * Reads a message of a ChatGPT export; undefined when it is empty, as the roots of conversations are.
 *
 * @throws BadRecord
 */
export function readChatgptMessage(
  source: unknown,
  { nodeId, parentId }: { readonly nodeId: string; readonly parentId: string | undefined },
): ImportedMessage | undefined {
  if (!isObject(source)) throw new BadRecord(`is ${kindOf(source)}; a message is an object`)
  const author = isObject(source['author']) ? source['author'] : {}
  const role = readRole(author['role'])
  const metadata = isObject(source['metadata']) ? source['metadata'] : {}
  const type = isObject(source['content']) ? source['content']['content_type'] : undefined
  const read = readContent(source['content'])
  if (isEmpty(read.content)) return undefined

  const isHidden =
    role === 'system' ||
    source['weight'] === 0 ||
    metadata['is_visually_hidden_from_conversation'] === true ||
    metadata['is_user_system_message'] === true ||
    !read.isSaid
  const createdAt = readTime(source['create_time'])
  const model = metadata['model_slug']
  return {
    id: typeof source['id'] === 'string' ? source['id'] : nodeId,
    role,
    ...asSpeech(read.content, role, source['recipient'], nodeId),
    ...(typeof author['name'] === 'string' && author['name'] !== '' && { name: author['name'] }),
    ...(role === 'tool' && parentId !== undefined && { toolCallId: parentId }),
    ...(isHidden && { origin: 'system' }),
    ...(createdAt !== undefined && { createdAt }),
    metadata: {
      ...(typeof type === 'string' && { contentType: type }),
      ...(typeof model === 'string' && { model }),
    },
  }
}

function readRole(role: unknown): MessageRole {
  const known = MESSAGE_ROLES.find((name) => name === role)
  if (known !== undefined) return known
  throw new BadRecord(
    `has the author role ${JSON.stringify(role)}; it must be one of ${MESSAGE_ROLES.join(', ')}`,
  )
}

interface ReadContent {
  readonly content: string | readonly MessagePart[]
  /** False for what was never part of the talk. */
  readonly isSaid: boolean
}

function readContent(content: unknown): ReadContent {
  if (content === null || content === undefined) return { content: '', isSaid: false }
  if (typeof content === 'string') return { content: clean(content), isSaid: true }
  if (!isObject(content)) throw new BadRecord(`has ${kindOf(content)} as content`)
  const type = String(content['content_type'])
  const isSaid = !UNSAID_CONTENT.has(type)
  const parts = content['parts']
  if (Array.isArray(parts)) return { content: joinParts(parts), isSaid }
  const texts = [content['title'], content['text'], content['result'], content['content']]
  const text = texts.filter((item) => typeof item === 'string').join('\n')
  // An unknown kind of content is kept as it stands, marked as not said, so that nothing is lost and nothing is learned from it.
  return text === '' && hasMore(content)
    ? { content: JSON.stringify(content), isSaid: false }
    : { content: clean(text), isSaid }
}

function hasMore(content: Record<string, unknown>): boolean {
  return Object.entries(content).some(
    ([key, value]) =>
      !['content_type', 'language', 'response_format_name'].includes(key) &&
      value !== null &&
      value !== '' &&
      !(Array.isArray(value) && value.length === 0),
  )
}

function joinParts(parts: readonly unknown[]): string | readonly MessagePart[] {
  const read = parts.map(readPart).filter((part) => part.type !== 'text' || part.text !== '')
  const texts = read.filter((part) => part.type === 'text')
  return texts.length === read.length ? texts.map(({ text }) => text).join('\n') : read
}

function readPart(part: unknown): MessagePart {
  if (typeof part === 'string') return { type: 'text', text: clean(part) }
  if (!isObject(part)) return { type: 'text', text: '' }
  const url = typeof part['asset_pointer'] === 'string' ? { url: part['asset_pointer'] } : {}
  switch (part['content_type']) {
    case 'image_asset_pointer': {
      const caption = promptOf(part['metadata'])
      return { type: 'image', ...url, ...(caption !== undefined && { caption }) }
    }
    case 'audio_transcription':
      return { type: 'text', text: typeof part['text'] === 'string' ? clean(part['text']) : '' }
    case 'audio_asset_pointer':
    case 'video_container_asset_pointer':
    case 'real_time_user_audio_video_asset_pointer':
      return { type: 'file', ...url, mediaType: 'audio' }
    default:
      return { type: 'text', text: typeof part['text'] === 'string' ? clean(part['text']) : '' }
  }
}

/** What a generated picture was asked to show. */
function promptOf(metadata: unknown): string | undefined {
  const dalle = isObject(metadata) ? metadata['dalle'] : undefined
  const prompt = isObject(dalle) ? dalle['prompt'] : undefined
  return typeof prompt === 'string' && prompt !== '' ? prompt : undefined
}

/** What the assistant sends to a tool is a call, not speech. */
function asSpeech(
  content: string | readonly MessagePart[],
  role: MessageRole,
  recipient: unknown,
  nodeId: string,
): Pick<ImportedMessage, 'content' | 'toolCalls'> {
  const isCall = role === 'assistant' && typeof recipient === 'string' && recipient !== 'all'
  if (!isCall || typeof content !== 'string') return { content }
  return { content: null, toolCalls: [{ id: nodeId, name: recipient, arguments: content }] }
}

function isEmpty(content: string | readonly MessagePart[]): boolean {
  return typeof content === 'string' ? content.trim() === '' : content.length === 0
}

function clean(text: string): string {
  return text.replaceAll(RENDERING_MARKS, '')
}
