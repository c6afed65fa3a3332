import type { ScoreExplanation, SearchResponse, SearchResult } from '@loam/memory'
import type { Episode } from '@loam/storage'

/** What JSON makes of a record: dates are text. */
type OverTheWire<Type> = {
  [Key in keyof Type]: Type[Key] extends Date
    ? string
    : Type[Key] extends Date | undefined
      ? string | undefined
      : Type[Key]
}

/** A result of a search, as the API answers it. */
export type FoundItem = OverTheWire<SearchResult>

/** Answer to a search. */
export type FoundItems = Omit<SearchResponse, 'results'> & {
  readonly results: readonly FoundItem[]
}

/** An episode, as the API answers it. */
export type EpisodeItem = Omit<OverTheWire<Episode>, 'sessionKey' | 'sessionId' | 'agentId'> & {
  readonly session: string
}

export type { ScoreExplanation }
