/** A piece of a message. Pieces other than text, such as pictures and files, pass through unchanged. */
export interface HistoryPart {
  readonly type: string
  readonly text?: string | undefined
}

/** A call of a tool by the assistant. */
export interface HistoryToolCall {
  readonly id: string
  readonly name: string
  /** The arguments as the model wrote them: usually JSON, kept as text. */
  readonly arguments: string
}

/** A message as it is stored. The messages of `@loam/storage` and of `ChatModel` fit. */
export interface HistoryMessage<Part extends HistoryPart = HistoryPart> {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string | readonly Part[] | null
  /** Display name of the speaker. */
  readonly name?: string | undefined
  /** The speaker's id in a group. */
  readonly senderId?: string | undefined
  readonly toolCalls?: readonly HistoryToolCall[] | undefined
  /** Of a tool message: the call that it answers. */
  readonly toolCallId?: string | undefined
}

/** A message as a provider takes it. Absent members are absent, not undefined. */
export interface AssembledMessage<Part extends HistoryPart = HistoryPart> {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  /** Null only where the assistant calls tools without a word. */
  readonly content: string | readonly (Part | HistoryTextPart)[] | null
  readonly toolCalls?: readonly HistoryToolCall[]
  readonly toolCallId?: string
}

/** What a plain text becomes when it is merged with a message that has parts. */
export interface HistoryTextPart {
  readonly type: 'text'
  readonly text: string
}

/** Whether the assistant calls tools in it. */
export function callsTools({ role, toolCalls }: HistoryMessage): boolean {
  return role === 'assistant' && (toolCalls?.length ?? 0) > 0
}

/** Whether it says anything. Providers refuse messages that do not. */
export function hasContent({ content }: Pick<HistoryMessage, 'content'>): boolean {
  if (typeof content === 'string') return /\S/.test(content)
  return content !== null && content.length > 0
}
