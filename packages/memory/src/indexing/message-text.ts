import { headOf } from '@loam/text'
import type { MessagePart, NewMessage } from '@loam/storage'

/** What of a message can be found, and how it is shown. */
export interface MessageText {
  /** Who speaks: the display name, else the role. It opens the shown text. */
  readonly label: string
  /** Text and captions. */
  readonly body: string
}

/**
 * The findable text of a message; undefined when nothing of it is to be found.
 *
 * Injected and system messages are never learned from. Names and arguments of tool calls are left out, since they repeat
 * and nobody asks by them; of what a tool answered, the first `maxToolLength` characters count.
 */
export function messageText(
  message: Pick<NewMessage, 'role' | 'origin' | 'content' | 'name'>,
  maxToolLength: number,
): MessageText | undefined {
  if (message.origin !== 'conversation' || message.role === 'system') return undefined
  const whole = contentText(message.content)
  const body = message.role === 'tool' ? headOf(whole, maxToolLength) : whole
  if (body.trim() === '') return undefined
  return { label: speakerOf(message) ?? message.role, body }
}

/** The display name on one line; undefined when there is none. */
export function speakerOf({ name }: Pick<NewMessage, 'name'>): string | undefined {
  const speaker = name?.replaceAll(/\s+/g, ' ').trim()
  return speaker === '' ? undefined : speaker
}

/** All text of a message's content, captions included. */
export function contentText(content: NewMessage['content']): string {
  if (content === null) return ''
  if (typeof content === 'string') return content
  return content
    .map(partText)
    .filter((text) => text !== '')
    .join('\n')
}

function partText(part: MessagePart): string {
  if (part.type === 'text') return part.text
  const words = part.type === 'file' ? [part.name, part.caption] : [part.caption]
  const described = words.filter((word) => word !== undefined && word !== '').join(': ')
  return described === '' ? '' : `[${part.type}: ${described}]`
}

const ROLE_LABEL = /^(?:user|assistant|tool): /

/** What of a chunk's text carries meaning: a role in front of it would make all messages of that role alike. */
export function embeddableText(chunkText: string): string {
  return chunkText.replace(ROLE_LABEL, '')
}
