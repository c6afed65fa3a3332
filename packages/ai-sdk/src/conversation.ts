import type { LoamClient } from '@loam/client'

/** What of the client is needed here. */
export type ConversationClient = Pick<
  LoamClient,
  'buildContext' | 'callTool' | 'listMessages' | 'listTools' | 'reportRun' | 'storeMessages'
>

/** Who talks with whom, and where it is kept. */
export interface Conversation {
  /** Key of the agent. */
  readonly agent: string
  /** Whose memory it is. */
  readonly userId: string
  /** Key of the session. Default: one for each user, `chat/<userId>`. */
  readonly session?: string | undefined
}

/** A conversation whose session is settled. */
export type Place = Conversation & { readonly session: string }
