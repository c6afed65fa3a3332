import type { ToolCall } from './messages.js'
import type { Page, PageRequest } from './page.js'

/** What can be held about a user of an agent. */
export const USER_DATA_KINDS = ['message', 'document', 'episode', 'file'] as const
/** See `USER_DATA_KINDS`. */
export type UserDataKind = (typeof USER_DATA_KINDS)[number]

/** Something that is held about a user. */
export interface UserDataItem {
  readonly kind: UserDataKind
  /** Names it among all that is held about the user: see `UserDataName`. */
  readonly id: string
  /** Where it stands: key of the session, path of the document, name of the file. */
  readonly source: string
  /** As it is stored: a text, or what a message consists of. */
  readonly content: unknown
  /** Of a message. */
  readonly toolCalls: readonly ToolCall[]
  readonly createdAt: Date
}

/** What the id of an item says: `message:<session id>:<sequence>`, `document:<id>`, `episode:<id>` or `file:<name>`. */
export type UserDataName =
  | { readonly kind: 'message'; readonly sessionId: string; readonly sequence: number }
  | { readonly kind: 'document' | 'episode'; readonly id: string }
  | { readonly kind: 'file'; readonly name: string }

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const MESSAGE_NAME = new RegExp(`^message:(${UUID}):([1-9][0-9]{0,8})$`)
const ROW_NAME = new RegExp(`^(document|episode):(${UUID})$`)
const FILE_NAME = /^file:(.{1,255})$/

/** Reads the id of an item; undefined when it is none. */
export function parseUserDataId(id: string): UserDataName | undefined {
  const [, sessionId, sequence] = MESSAGE_NAME.exec(id) ?? []
  if (sessionId !== undefined) return { kind: 'message', sessionId, sequence: Number(sequence) }
  const [, kind, row] = ROW_NAME.exec(id) ?? []
  if (row !== undefined) return { kind: kind === 'document' ? 'document' : 'episode', id: row }
  const [, name] = FILE_NAME.exec(id) ?? []
  return name === undefined ? undefined : { kind: 'file', name }
}

/** A stretch of a session whose episode was withdrawn, since something in it was forgotten. */
export interface WithdrawnStretch {
  readonly sessionId: string
  readonly firstSequence: number
  readonly lastSequence: number
}

/** What forgetting some items removed. */
export interface ForgottenUserData {
  readonly messages: number
  readonly documents: number
  /** Those named, and those made of messages that were forgotten. */
  readonly episodes: number
  readonly contextFiles: number
  readonly chunks: number
  readonly vectors: number
  /** What new episodes are to be made of, of what remains there. */
  readonly withdrawn: readonly WithdrawnStretch[]
}

/** How much is held about a user of an agent. */
export interface UserHoldings {
  readonly contextFiles: number
  readonly sessions: number
  readonly messages: number
  readonly runs: number
  readonly documents: number
  readonly episodes: number
  readonly chunks: number
  readonly vectors: number
  readonly postings: number
  readonly events: number
  readonly deliveries: number
  /** Records of how far agent and user know each other. */
  readonly acquaintances: number
  /** Model calls that bear the user's name. What they cost stays on record without it. */
  readonly modelCalls: number
}

/** All that an agent holds about one user, as one thing. Nothing that users share is part of it. */
export interface UserDataStore {
  /** Newest first. */
  list(
    agentId: string,
    userId: string,
    request: PageRequest & {
      readonly kinds?: readonly UserDataKind[] | undefined
      /** Only what has this text in it, whatever the case. */
      readonly containing?: string | undefined
    },
  ): Promise<Page<UserDataItem>>
  find(agentId: string, userId: string, id: string): Promise<UserDataItem | undefined>
  holdings(agentId: string, userId: string): Promise<UserHoldings>
  /**
   * Forgets these items, or none of them: their text, what they are found by, what tools told an agent of them, and the episodes and compactions that were made with them. A
   * message keeps its place and id, so that it is not stored when it is sent again.
   *
   * @throws InvalidInputError for an id that is none. @throws NotFoundError when one of them is not held.
   */
  forget(agentId: string, userId: string, ids: readonly string[]): Promise<ForgottenUserData>
  /**
   * Erases all of it, and returns how much that was. Waits for whoever is writing for this user at the moment; what began
   * before and says so (`Access.unlessErased`) is refused from then on. Nothing is to be done after it in its unit of work.
   *
   * @throws InvalidInputError for the user `''`, which is what all users share.
   */
  erase(agentId: string, userId: string): Promise<UserHoldings>
  /** Removes what tells work from before an erasure that it is too late. It holds no name. Returns how many. */
  forgetErasures(before: Date): Promise<number>
}
