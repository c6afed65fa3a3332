/** What can be searched; also the name of each source in a search request. */
export const CHUNK_SOURCES = ['documents', 'messages', 'episodes'] as const
/** See `CHUNK_SOURCES`. */
export type ChunkSource = (typeof CHUNK_SOURCES)[number]

/** The record that a chunk is a piece of. Deleting it deletes the chunk with its postings and vectors. */
export type ChunkOwner =
  | { readonly source: 'documents'; readonly documentId: string }
  | { readonly source: 'messages'; readonly sessionId: string; readonly sequence: number }
  | { readonly source: 'episodes'; readonly episodeId: string }

/** How often each term stands in a chunk. */
export type TermFrequencies = ReadonlyMap<string, number>

/** A piece of text to make findable. */
export interface NewChunk {
  readonly id: string
  readonly agentId: string
  readonly userId: string
  readonly owner: ChunkOwner
  /** Place in the group: the sequence of a message, the ordinal of a document's chunk from 1. */
  readonly position: number
  /** Place among the chunks of one position, from 0: a long message has several. */
  readonly part: number
  readonly text: string
  readonly path?: string | undefined
  /** 1-based lines of the document. */
  readonly startLine?: number | undefined
  readonly endLine?: number | undefined
  /** Display name of who said it. */
  readonly speaker?: string | undefined
  /** When it was said or written. */
  readonly occurredAt: Date
  /** Not found after this moment; undefined when it is kept as long as its owner. */
  readonly expiresAt?: Date | undefined
  /** From `termFrequencies`; the sum of the frequencies is the chunk's length. */
  readonly terms: TermFrequencies
}

/** What ranking needs to know of a chunk. */
export interface ChunkKey {
  readonly chunkId: string
  readonly source: ChunkSource
  /** The document, session or episode. */
  readonly groupId: string
  readonly position: number
  readonly part: number
  /** `''` when all users of the agent share it. */
  readonly userId: string
  readonly path: string | undefined
  readonly startLine: number | undefined
  readonly speaker: string | undefined
  readonly occurredAt: Date
}

/** A chunk with its text and the names by which a caller knows its owner. */
export interface Chunk extends ChunkKey {
  readonly text: string
  readonly endLine: number | undefined
  /** Key of the session, of a message or an episode. */
  readonly sessionKey: string | undefined
  /** The client's own id of the message. */
  readonly messageId: string | undefined
}

/**
 * Where to search. The unit of work's user and the agent's shared part are always both searched, and a shared
 * document is hidden when the user has one at the same path. Rows past their expiry are never found.
 */
export interface ChunkFilter {
  readonly agentId: string
  readonly sources: readonly ChunkSource[]
  /** Taken literally; restricts documents only. */
  readonly pathPrefix?: string | undefined
  /** For expiry. */
  readonly now: Date
}

/** Bounds on the work of one lexical search (spec 09, "Lexical search at scale"). */
export interface LexicalLimits {
  /** Postings read to find candidates, rarest term first. */
  readonly maxPostings: number
  /** Candidates that are then scored on all terms. */
  readonly maxCandidates: number
}

/** Counts that BM25 needs, over the user's and the shared part of the agent together. */
export interface LexicalStatistics {
  readonly chunkCount: number
  /** Sum of the lengths of all chunks. */
  readonly totalLength: number
  /** In how many chunks each of the query's terms stands; a term that stands in none is absent. */
  readonly documentFrequencies: ReadonlyMap<string, number>
  /** How many groups with messages there are, and the sum of their lengths. */
  readonly sessionCount: number
  readonly sessionTotalLength: number
}

/** A chunk in which at least one term stands. */
export interface LexicalMatch extends ChunkKey {
  readonly length: number
  /** Of the query's terms only. */
  readonly frequencies: TermFrequencies
}

export interface LexicalMatches {
  readonly statistics: LexicalStatistics
  readonly matches: readonly LexicalMatch[]
  /** Length of each session among the matches, by group id. */
  readonly sessionLengths: ReadonlyMap<string, number>
}

/** A chunk and how close its vector is. */
export interface VectorMatch extends ChunkKey {
  /** Cosine similarity, −1 to 1. */
  readonly similarity: number
}

export interface ChunkStore {
  /** Makes chunks findable by their words. All must belong to one agent and user. */
  insert(chunks: readonly NewChunk[]): Promise<void>
  /** Removes the chunks of one owner, as before it is indexed again. Returns how many. */
  deleteOf(owner: ChunkOwner): Promise<number>
  /** Finds chunks in which any of the terms stands. No term, no match. */
  matchTerms(
    filter: ChunkFilter,
    terms: readonly string[],
    limits: LexicalLimits,
  ): Promise<LexicalMatches>
  /**
   * Finds the chunks nearest to a vector, nearest first.
   *
   * @throws VectorDimensionError when the vector does not fit the space.
   */
  nearest(
    filter: ChunkFilter,
    query: { readonly spaceId: number; readonly vector: readonly number[]; readonly limit: number },
  ): Promise<readonly VectorMatch[]>
  /** The chunks of these ids, in any order; ids that are not visible are left out. */
  read(chunkIds: readonly string[]): Promise<readonly Chunk[]>
  /** The chunks at these places of these groups, in any order. */
  at(
    places: readonly { readonly groupId: string; readonly position: number }[],
  ): Promise<readonly ChunkKey[]>
  /** Up to `limit` chunks that have no vector in the space, of one group or (undefined) of all, ordered by id and after one. */
  withoutVector(request: {
    readonly spaceId: number
    readonly groupId?: string | undefined
    /** So that what was asked before need not be passed over again. */
    readonly afterChunkId?: string | undefined
    readonly limit: number
  }): Promise<
    readonly {
      readonly chunkId: string
      readonly agentId: string
      readonly userId: string
      readonly text: string
    }[]
  >
  /** Counts for `doctor`: all chunks visible to this unit of work, and those without a vector in the space. */
  coverage(spaceId: number): Promise<{ readonly chunks: number; readonly withoutVector: number }>
}
