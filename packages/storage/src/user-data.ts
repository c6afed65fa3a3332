import type { Page, PageRequest } from './page.js'

/** What can be held about a user of an agent. */
export const USER_DATA_KINDS = ['message', 'document', 'episode', 'file'] as const
/** See `USER_DATA_KINDS`. */
export type UserDataKind = (typeof USER_DATA_KINDS)[number]

/** Something that is held about a user. */
export interface UserDataItem {
  readonly kind: UserDataKind
  /** Sequence of a message within its session, id of a document or an episode, name of a context file. */
  readonly id: string
  /** Where it stands: key of the session, path of the document, name of the file. */
  readonly source: string
  /** As it is stored: a text, or what a message consists of. */
  readonly content: unknown
  readonly createdAt: Date
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
    request: PageRequest & { readonly kinds?: readonly UserDataKind[] | undefined },
  ): Promise<Page<UserDataItem>>
  holdings(agentId: string, userId: string): Promise<UserHoldings>
  /**
   * Erases all of it, and returns how much that was. Waits for whoever is writing for this user at the moment.
   *
   * @throws InvalidInputError for the user `''`, which is what all users share.
   */
  erase(agentId: string, userId: string): Promise<UserHoldings>
}
