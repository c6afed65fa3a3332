import type { AbortableOptions, Scope } from '@loam/core'
import type {
  Access,
  ChunkSource,
  DeletionReceipt,
  DocumentSummary,
  MemoryDocument,
  MessageOrigin,
  MessagePart,
  MessageRole,
  NewEpisode,
  Page,
  PageRequest,
  Session,
  SessionKind,
  Stores,
  ToolCall,
} from '@loam/storage'

/** A message as a client sends it. */
export interface MessageInput {
  /** The client's own id, which makes sending it twice harmless. Default: a generated one. */
  readonly id?: string | undefined
  readonly role: MessageRole
  readonly content: string | readonly MessagePart[] | null
  readonly name?: string | undefined
  readonly senderId?: string | undefined
  readonly toolCalls?: readonly ToolCall[] | undefined
  readonly toolCallId?: string | undefined
  /** Default `conversation`. */
  readonly origin?: MessageOrigin | undefined
  /** Default: now. */
  readonly createdAt?: Date | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}

/** The session that messages belong to; it is made when there is none of that key. */
export interface SessionInput {
  readonly key: string
  /** Id of the session that is meant, and no other of that key: when it was deleted meanwhile, none is made. Default: whichever. */
  readonly id?: string | undefined
  /** Default: what key and owner imply; see `sessionKindOf`. */
  readonly kind?: SessionKind | undefined
  readonly channel?: string | undefined
  readonly timezone?: string | undefined
  readonly contextWindow?: number | undefined
  readonly title?: string | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}

/** What became of a batch of messages. */
export interface StoreMessagesResult {
  readonly session: Session
  readonly sessionCreated: boolean
  readonly items: readonly {
    readonly id: string
    readonly sequence: number
    readonly duplicate: boolean
  }[]
  /** `lexical` when the embedding model failed; words are findable now, meaning follows. */
  readonly indexState: 'complete' | 'lexical'
}

/** What became of a document that was written. */
export interface PutDocumentResult {
  readonly document: MemoryDocument
  readonly created: boolean
  /** `unchanged` when text and index settings were the same, so that nothing was done. */
  readonly indexing: 'unchanged' | 'complete' | 'lexical'
}

/** What to look for. */
export interface SearchRequest {
  readonly query: string
  /** 1 to 50. Default 6 (spec 04, 5.4). */
  readonly maxResults?: number | undefined
  /** 0 to 1. Results below are left out. Default 0: off. */
  readonly minScore?: number | undefined
  /** Default: all. */
  readonly sources?: readonly ChunkSource[] | undefined
  /** Restricts documents to those whose path begins so. */
  readonly pathPrefix?: string | undefined
  /** Default: the clock's. */
  readonly now?: Date | undefined
  /** IANA zone in which relative dates are meant. Default UTC. */
  readonly timezone?: string | undefined
  /** Adds to each result how its score came about. Default false. */
  readonly explain?: boolean | undefined
}

/** How a score came about; each part is on the scale of the final score before it was scaled to the best. */
export interface ScoreExplanation {
  readonly lexical: number
  readonly vector: number
  /** Lent by the turns beside it. */
  readonly neighbours: number
  /** Lent by its session as a whole. */
  readonly session: number
  /** The question names who said it. */
  readonly speaker: number
  /** The query's terms that stand in it. */
  readonly matchedTerms: readonly string[]
  /** Cosine similarity, when the vector channel found it. */
  readonly similarity?: number
}

/** Something found. */
export interface SearchResult {
  readonly id: string
  readonly source: ChunkSource
  /** 0 to 1; the best result of a query has 1 unless `personal` rules say otherwise. Comparable within one answer only. */
  readonly score: number
  readonly text: string
  readonly scope: 'personal' | 'global'
  readonly path?: string
  readonly startLine?: number
  readonly endLine?: number
  /** Key of the session. */
  readonly session?: string
  readonly sequence?: number
  /** The client's own id of the message. */
  readonly messageId?: string
  readonly episodeId?: string
  /** When it was said or written. */
  readonly createdAt: Date
  readonly explanation?: ScoreExplanation
}

/** What a search found, best first. */
export interface SearchResponse {
  readonly results: readonly SearchResult[]
  readonly count: number
  /** Why fewer channels than usual were used, such as an embedding model that did not answer. */
  readonly degraded?: string
  /** With `explain`: what was asked of the index, and the weights. */
  readonly explanation?: {
    readonly terms: readonly string[]
    readonly weights: { readonly lexical: number; readonly vector: number }
    readonly candidates: { readonly lexical: number; readonly vector: number }
    readonly timingsMs: { readonly embed: number; readonly search: number; readonly rank: number }
  }
}

/** Texts cut, analysed and embedded, ready to be written inside a transaction. */
export interface PreparedIndex {
  readonly state: 'complete' | 'lexical'
  /** Writes chunks and vectors; publishes `chunks.unembedded` for the group when vectors are missing. */
  write(stores: Stores): Promise<void>
}

/**
 * Long-term memory of agents. What is written is refused with a `ConflictError` when its user is erased between the call, or what
 * `Scope.sinceErasure` says, and its end. What is written to it is found again by words and by meaning. */
export interface Memory {
  /**
   * Writes a document of the scope's owner and makes it findable before it resolves.
   *
   * @throws InvalidInputError for a path that is no memory path, or text beyond the limit.
   */
  putDocument(
    scope: Scope,
    document: {
      readonly path: string
      readonly content: string
      readonly metadata?: Readonly<Record<string, unknown>> | undefined
    },
    options?: AbortableOptions,
  ): Promise<PutDocumentResult>
  /**
   * Adds text to the end of a document of the scope's owner, behind a rule, or makes it. Of additions at the same time none is
   * lost.
   */
  appendDocument(
    scope: Scope,
    document: { readonly path: string; readonly content: string },
    options?: AbortableOptions,
  ): Promise<PutDocumentResult>
  /** The user's own document at that path, else the shared one. @throws NotFoundError */
  getDocument(scope: Scope, path: string): Promise<MemoryDocument>
  listDocuments(
    scope: Scope,
    request: PageRequest & { readonly pathPrefix?: string | undefined },
  ): Promise<Page<DocumentSummary>>
  /** Deletes the document of exactly the scope's owner. @throws NotFoundError */
  deleteDocument(scope: Scope, path: string): Promise<DeletionReceipt>
  /**
   * Appends messages to a session of the scope's user, and makes them findable before it resolves. Injected and system messages are stored, not indexed.
   *
   * @throws NotFoundError when the session belongs to another user. @throws ConflictError when an id is taken by another content,
   * or the session that `id` names was deleted.
   */
  storeMessages(
    scope: Scope,
    session: SessionInput,
    messages: readonly MessageInput[],
    options?: AbortableOptions,
  ): Promise<StoreMessagesResult>
  /** Finds what fits the query, of the scope's user and the agent's shared part; without a user, the shared part only. */
  search(scope: Scope, request: SearchRequest, options?: AbortableOptions): Promise<SearchResponse>
  /** Prepares the chunks of an episode; call outside a transaction, then `write` inside the one that stores it. */
  prepareEpisode(
    scope: Scope,
    episode: NewEpisode,
    options?: AbortableOptions,
  ): Promise<PreparedIndex>
  /**
   * Gives vectors to chunks that lack one of the present embedding model, as after a failure of the model or a change to another: of one
   * group, or of all that the access reaches. Returns how many. @throws ModelError
   */
  embedMissing(
    access: Access,
    request?: { readonly groupId?: string | undefined },
    options?: AbortableOptions,
  ): Promise<number>
}
