import type { DeletionReceipt } from './deletion.js'
import type { Page, PageRequest } from './page.js'

/** How the index of a document stands: `lexical` means that some of its vectors are still missing. */
export const INDEX_STATES = ['pending', 'lexical', 'complete', 'failed'] as const
/** See `INDEX_STATES`. */
export type IndexState = (typeof INDEX_STATES)[number]

/** A text that an agent keeps, at a path such as `MEMORY.md` or `memory/2026-11-30.md`. */
export interface MemoryDocument {
  readonly id: string
  readonly agentId: string
  /** Whose it is; `''` when all users of the agent share it. */
  readonly userId: string
  readonly path: string
  readonly content: string
  /** `contentHash` of the content. */
  readonly hash: string
  readonly metadata: Readonly<Record<string, unknown>>
  readonly indexState: IndexState
  /** The hash that the index was made from; differs from `hash` while the index is stale. */
  readonly indexedHash: string | undefined
  /** Names chunker, analyser and their settings; another value means that the document is to be indexed again. */
  readonly indexSettings: string | undefined
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** What a store needs to write a document. Writing to a taken path replaces the content and keeps the id. */
export type DocumentWrite = Pick<
  MemoryDocument,
  | 'id'
  | 'agentId'
  | 'userId'
  | 'path'
  | 'content'
  | 'hash'
  | 'indexState'
  | 'indexedHash'
  | 'indexSettings'
> & { readonly metadata?: Readonly<Record<string, unknown>> }

/** A document without its text. */
export type DocumentSummary = Omit<MemoryDocument, 'content'> & {
  /** In UTF-16 code units, like `content.length`. */
  readonly contentLength: number
}

export interface DocumentStore {
  put(
    document: DocumentWrite,
  ): Promise<{ readonly document: MemoryDocument; readonly created: boolean }>
  /** The document of exactly this owner (`''` for the shared one). */
  find(agentId: string, userId: string, path: string): Promise<MemoryDocument | undefined>
  /** Like `find`, and holds the path until the end of the transaction, also when there is no document yet. */
  lock(agentId: string, userId: string, path: string): Promise<MemoryDocument | undefined>
  /** The user's own and the shared ones, ordered by path, then owner. `pathPrefix` is taken literally. */
  list(
    agentId: string,
    request: PageRequest & { readonly pathPrefix?: string | undefined },
  ): Promise<Page<DocumentSummary>>
  setIndexState(id: string, state: IndexState): Promise<void>
  /** Deletes the document and its index; undefined when there is none. */
  delete(agentId: string, userId: string, path: string): Promise<DeletionReceipt | undefined>
}
