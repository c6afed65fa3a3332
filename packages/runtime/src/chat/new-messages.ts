import {
  InvalidInputError,
  toStorableJson,
  toStorableText,
  type CompletionMessage,
} from '@loam/core'
import type { MessageInput } from '@loam/memory'
import type { MessagePart } from '@loam/storage'
import { checkConversation, isInstruction } from './check-conversation.js'

/** A conversation, divided into what is instruction, what was said before, and what is new. */
export interface DividedMessages {
  /** What the client tells the model, from all system and developer messages. */
  readonly instructions: string
  /** The conversation without instructions. */
  readonly conversation: readonly CompletionMessage[]
  /** The messages at its end that no answer follows. */
  readonly fresh: readonly CompletionMessage[]
}

/**
 * Divides the messages of a request.
 *
 * @throws InvalidInputError for messages that no model takes, or when nothing is new.
 */
export function divideMessages(messages: readonly CompletionMessage[]): DividedMessages {
  checkConversation(messages)
  const conversation = messages.filter((message) => !isInstruction(message))
  const last = conversation.findLastIndex(({ role }) => role === 'assistant')
  const fresh = conversation.slice(last + 1)
  if (fresh.length === 0) {
    const message =
      'Must end with something to answer: a message of the user, or the results of tools'
    throw new InvalidInputError({
      message: `messages: ${message}.`,
      issues: [{ path: 'messages', message }],
    })
  }
  const instructions = messages.filter(isInstruction).map((message) => textOf(message.content))
  return { instructions: instructions.filter(Boolean).join('\n\n'), conversation, fresh }
}

/** What the user says in the new messages; undefined when only tools answered. */
export function spokenText(fresh: readonly CompletionMessage[]): string | undefined {
  const spoken = fresh.findLast(({ role }) => role === 'user')
  return spoken && textOf(spoken.content)
}

/** The message as it is stored, cleaned of what cannot be, so that it can be compared with what is stored. */
export function toStored(message: CompletionMessage, id: string): MessageInput {
  const { role, content, name, tool_call_id: toolCallId } = message
  return {
    id,
    role: role as MessageInput['role'],
    content: toContent(content),
    ...(typeof name === 'string' && { name: toStorableText(name) }),
    ...(typeof toolCallId === 'string' && { toolCallId }),
  }
}

function toContent(content: unknown): MessageInput['content'] {
  if (typeof content === 'string') return toStorableText(content)
  if (!Array.isArray(content)) return null
  return toStorableJson((content as readonly Readonly<Record<string, unknown>>[]).flatMap(toPart))
}

/** Pictures and files are kept as references; bytes within a URL are none, and are left out. */
function toPart(part: Readonly<Record<string, unknown>>): MessagePart[] {
  if (part['type'] === 'text' && typeof part['text'] === 'string') {
    return [{ type: 'text', text: part['text'] }]
  }
  if (part['type'] === 'image_url') {
    const { url } = (part['image_url'] ?? {}) as { readonly url?: unknown }
    const isReference = typeof url === 'string' && /^https?:/.test(url) && url.length <= 8_192
    return [{ type: 'image', ...(isReference && { url }) }]
  }
  return [{ type: 'file', name: String(part['type']).slice(0, 100) }]
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return (content as readonly Readonly<Record<string, unknown>>[])
    .map((part) => (typeof part['text'] === 'string' ? part['text'] : ''))
    .filter(Boolean)
    .join('\n')
}
