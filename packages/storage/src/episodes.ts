import type { Page, PageRequest } from './page.js'

/** Who wrote a summary: a model, rules when no model is configured, the client that compacted, or the person who corrected it. */
export const EPISODE_METHODS = ['model', 'rules', 'compaction', 'correction'] as const
/** See `EPISODE_METHODS`. */
export type EpisodeMethod = (typeof EPISODE_METHODS)[number]

/** A summary of a stretch of a session. */
export interface Episode {
  readonly id: string
  readonly agentId: string
  readonly userId: string
  readonly sessionId: string
  readonly sessionKey: string
  /** The stretch, both ends included. */
  readonly firstSequence: number
  readonly lastSequence: number
  readonly summary: string
  /** The ~50-token form. */
  readonly abstract: string
  readonly topics: readonly string[]
  readonly method: EpisodeMethod
  /** How many messages were read. */
  readonly messageCount: number
  /** When the stretch began and ended. */
  readonly startedAt: Date
  readonly endedAt: Date
  readonly createdAt: Date
  /** Undefined when it is kept for ever. */
  readonly expiresAt: Date | undefined
}

/** What is given to store an episode. */
export type NewEpisode = Omit<Episode, 'sessionKey'>

export interface EpisodeStore {
  /**
   * Stores the episode unless its session has one that begins at the same sequence, and moves the session's `coveredSequence` up to
   * its end. Returns whether it was stored.
   */
  insertIfNew(episode: NewEpisode): Promise<boolean>
  /** Replaces what an episode says; its chunks are the caller's to replace. Undefined when there is no such episode. */
  rewrite(
    id: string,
    text: Pick<Episode, 'summary' | 'abstract' | 'topics' | 'method'>,
  ): Promise<Episode | undefined>
  /** Whether an episode of the session covers any of these messages. */
  overlap(
    sessionId: string,
    stretch: Pick<Episode, 'firstSequence' | 'lastSequence'>,
  ): Promise<boolean>
  find(id: string, now: Date): Promise<Episode | undefined>
  /** Newest first, without those past their expiry. */
  list(
    agentId: string,
    request: PageRequest & { readonly now: Date; readonly sessionId?: string | undefined },
  ): Promise<Page<Episode>>
  /** Deletes up to `limit` episodes past their expiry, with their chunks. Returns how many. */
  deleteExpired(now: Date, limit: number): Promise<number>
}
