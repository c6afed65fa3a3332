import type { MessageInput } from '@loam/memory'

/** A message in the shape of the API, where a moment is a text. */
export interface ImportedMessage extends Omit<MessageInput, 'createdAt'> {
  /** ISO 8601. */
  readonly createdAt?: string | undefined
}

/** The session that an imported message goes to. */
export interface ImportedSession {
  readonly key: string
  /** Undefined when neither the file nor the caller names a user. */
  readonly userId: string | undefined
  readonly title?: string | undefined
}

/** One thing found in a file. Every importer yields these, in the order of the file. */
export type ImportRecord =
  | {
      readonly type: 'message'
      /** Where it stands, in words for people, such as `line 12`. */
      readonly place: string
      readonly session: ImportedSession
      readonly message: ImportedMessage
    }
  | {
      readonly type: 'bad'
      readonly place: string
      /** What is wrong, and what would be right. */
      readonly problem: string
    }
  /** No more messages of this session follow. */
  | { readonly type: 'session-end'; readonly session: ImportedSession }

/** What an importer needs to know beside the text. */
export interface ImporterOptions {
  /** Key of the session of messages that name none. */
  readonly sessionKey: string
  /** Whether `sessionKey` was chosen by the caller rather than taken from the file's name. */
  readonly sessionGiven: boolean
  /** Owner of messages that name none; a LoCoMo file names its own. */
  readonly userId: string | undefined
}

/** Turns a file's text into records; it never throws for a bad record, only for text that cannot be read on. */
export type Importer = (
  chunks: AsyncIterable<string>,
  options: ImporterOptions,
) => AsyncIterable<ImportRecord>

/** A record that an importer cannot take; caught inside the importer, which knows the place. */
export class BadRecord extends Error {
  override readonly name = 'BadRecord'
}

/** Whether a JSON value is an object, not an array and not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A JSON value's kind, for messages to people. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (value === undefined) return 'nothing'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
