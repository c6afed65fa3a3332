import type { Message, MessageRole } from '@loam/storage'
import { headOf, redact, tailOf } from '@loam/text'
import { countWords } from './count-words.js'

/** What is read of one message when an episode is made. */
export interface Excerpt {
  readonly sequence: number
  readonly role: MessageRole
  /** Who speaks, for people. */
  readonly speaker: string
  /** The message without secrets, at most 500 characters: its beginning and its end. */
  readonly text: string
  /** Words of `text`, in any script. */
  readonly wordCount: number
  readonly createdAt: Date
}

const MAX_EXCERPT_LENGTH = 500
/** A message is cut to this much from either end before secrets are looked for. */
const MAX_READ_LENGTH = 4_000
const GAP = ' […] '

/**
 * What an episode may learn from a message; undefined for one that is injected, from the system, or without words.
 *
 * The end of a long message is kept as well as its beginning, since decisions stand at the end.
 */
export function excerptOf(message: Message): Excerpt | undefined {
  if (message.origin !== 'conversation' || message.role === 'system') return undefined
  const whole = textOf(message.content)
  // Secrets go first: half of one, left by a cut, would not be known for what it is.
  const text =
    whole.length <= 2 * MAX_READ_LENGTH
      ? redact(whole).text
      : `${redact(headOf(whole, MAX_READ_LENGTH)).text}${GAP}${redact(tailOf(whole, MAX_READ_LENGTH)).text}`
  const excerpt = headAndTail(text.replaceAll(/[^\S\n]+/g, ' ').trim())
  const wordCount = countWords(excerpt)
  if (wordCount === 0) return undefined
  return {
    sequence: message.sequence,
    role: message.role,
    speaker: speakerOf(message),
    text: excerpt,
    wordCount,
    createdAt: message.createdAt,
  }
}

function textOf(content: Message['content']): string {
  if (content === null) return ''
  if (typeof content === 'string') return content
  return content
    .map((part) => {
      if (part.type === 'text') return part.text
      const name = part.type === 'file' ? part.name : undefined
      return [name, part.caption].filter(Boolean).join(': ')
    })
    .filter((text) => text !== '')
    .join('\n')
}

function headAndTail(text: string): string {
  if (text.length <= MAX_EXCERPT_LENGTH) return text
  const room = MAX_EXCERPT_LENGTH - GAP.length
  const head = headOf(text, Math.ceil(room * 0.6))
  return `${head.trimEnd()}${GAP}${tailOf(text, room - head.length).trimStart()}`
}

function speakerOf({ name, senderId, role }: Message): string {
  const speaker = redact((name ?? senderId ?? role).replaceAll(/\s+/g, ' ').trim()).text
  return headOf(speaker, 100) || role
}
