import { z } from 'zod'
import type { Page } from './page.js'

/** Who speaks. */
export const MESSAGE_ROLES = ['user', 'assistant', 'system', 'tool'] as const
/** See `MESSAGE_ROLES`. */
export type MessageRole = (typeof MESSAGE_ROLES)[number]

/** Where a message's text comes from. What was `injected` by Loam, or is `system`, is never learned from. */
export const MESSAGE_ORIGINS = ['conversation', 'injected', 'system'] as const
/** See `MESSAGE_ORIGINS`. */
export type MessageOrigin = (typeof MESSAGE_ORIGINS)[number]

/** A piece of a message: text, or a reference to a picture or a file. */
export const messagePartSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({
    type: z.literal('image'),
    /** Where the picture is; Loam stores the reference, never the bytes. */
    url: z.string().max(8192).optional(),
    /** What it shows, in words; this is what search can find. */
    caption: z.string().optional(),
  }),
  z.strictObject({
    type: z.literal('file'),
    url: z.string().max(8192).optional(),
    name: z.string().max(1024).optional(),
    mediaType: z.string().max(255).optional(),
    caption: z.string().optional(),
  }),
])
/** See `messagePartSchema`. */
export type MessagePart = z.infer<typeof messagePartSchema>

/** A call of a tool by the assistant. */
export const toolCallSchema = z.strictObject({
  id: z.string().max(500),
  name: z.string().max(500),
  /** The arguments as the model wrote them: usually JSON, kept as text. */
  arguments: z.string(),
})
/** See `toolCallSchema`. */
export type ToolCall = z.infer<typeof toolCallSchema>

/** What is given to store a message. */
export interface NewMessage {
  /** The client's own id, or a generated one. Unique within the session. */
  readonly id: string
  readonly role: MessageRole
  readonly content: string | readonly MessagePart[] | null
  /** Display name of the speaker. */
  readonly name?: string | undefined
  /** The speaker's id in a group. */
  readonly senderId?: string | undefined
  readonly toolCalls?: readonly ToolCall[] | undefined
  readonly toolCallId?: string | undefined
  readonly origin: MessageOrigin
  readonly createdAt: Date
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}

/** One message of a session. */
export interface Message extends NewMessage {
  readonly sessionId: string
  /** 1 for the first message of the session, then without a gap, save where one was forgotten. */
  readonly sequence: number
}

/** What became of one message of a batch. */
export interface AppendedMessage {
  readonly id: string
  readonly sequence: number
  /** The session had a message with this id and the same content already, or has forgotten it; nothing was written. */
  readonly duplicate: boolean
}

export interface MessageStore {
  /**
   * Appends messages in order, giving each the next sequence of its session; all or none. The session stays locked
   * until the end of the transaction, so concurrent writers take turns.
   *
   * @throws NotFoundError when there is no such session.
   * @throws ConflictError when an id is stored already with other content, or stands twice in the batch with different content.
   */
  append(sessionId: string, messages: readonly NewMessage[]): Promise<readonly AppendedMessage[]>
  /** Which of these ids the session has messages of. */
  storedIds(sessionId: string, ids: readonly string[]): Promise<ReadonlySet<string>>
  /** The message of this id; undefined when there is none, or it is forgotten. */
  find(sessionId: string, id: string): Promise<Message | undefined>
  /** In order of sequence, after `afterSequence` (default 0). */
  list(
    sessionId: string,
    request: {
      readonly limit: number
      readonly cursor?: string | undefined
      readonly newestFirst?: boolean
    },
  ): Promise<Page<Message>>
  /** The messages from `first` to `last`, both included, in order. */
  range(sessionId: string, first: number, last: number): Promise<readonly Message[]>
}
