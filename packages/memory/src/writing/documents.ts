import {
  ConflictError,
  InvalidInputError,
  NotFoundError,
  toStorableText,
  type AbortableOptions,
  type Scope,
} from '@loam/core'
import type {
  DeletionReceipt,
  DocumentSummary,
  MemoryDocument,
  Page,
  PageRequest,
  Storage,
} from '@loam/storage'
import { isDeepStrictEqual } from 'node:util'
import { accessOf, writingAccessOf } from '../access.js'
import { contentHash } from '../content-hash.js'
import { documentChunks, documentIndexSettings } from '../indexing/document-chunks.js'
import {
  prepareVectors,
  preparedState,
  writeIndex,
  type IndexingDependencies,
} from '../indexing/prepared-index.js'
import { checkLimit, type MemoryLimits } from '../limits.js'
import type { Memory, PutDocumentResult } from '../memory.js'
import { normalizeMemoryPath, normalizePathPrefix, normalizeWritablePath } from '../memory-path.js'
import { metadataIssue, storableMetadata } from '../metadata.js'

/** What writing works with. */
export interface WritingDependencies extends IndexingDependencies {
  readonly storage: Storage
  readonly limits: MemoryLimits
}

/** See `Memory.putDocument`. With `expected`, only if the document is still the one of that hash, or none. @throws ConflictError */
export async function putDocument(
  dependencies: WritingDependencies,
  scope: Scope,
  input: Parameters<Memory['putDocument']>[1],
  {
    signal,
    expected,
  }: AbortableOptions & { readonly expected?: { readonly hash: string | undefined } } = {},
): Promise<PutDocumentResult> {
  const { storage, embeddings, generateId, limits } = dependencies
  const path = normalizeWritablePath(input.path)
  const content = checkContent(input.content, path, limits)
  const metadata = checkMetadata(input.metadata)
  const hash = contentHash(content)
  const indexSettings = documentIndexSettings(embeddings)
  const access = writingAccessOf(scope, storage)

  const before = await storage.transaction(access, ({ documents }) =>
    documents.find(scope.agentId, scope.userId, path),
  )
  const isIndexed =
    before?.hash === hash &&
    before.indexedHash === hash &&
    before.indexSettings === indexSettings &&
    before.indexState === 'complete'
  const hasMetadata = metadata === undefined || isDeepStrictEqual(before?.metadata, metadata)
  if (isIndexed && hasMetadata) return { document: before, created: false, indexing: 'unchanged' }

  const draft = { agentId: scope.agentId, userId: scope.userId, path, content }
  const drafts = documentChunks(draft, dependencies.clock.now(), generateId)
  const context = { scope, task: 'memory.document.index', signal }
  const vectors = await prepareVectors(
    drafts.map(({ text }) => text),
    context,
    dependencies,
  )
  const spaceId = vectors === undefined ? undefined : await dependencies.spaces.idFor(scope)
  const state = preparedState(vectors)

  return storage.transaction(
    access,
    async (stores) => {
      const current = await stores.documents.lock(scope.agentId, scope.userId, path)
      if (expected && current?.hash !== expected.hash) throw changed(path)
      const { document, created } = await stores.documents.put({
        ...draft,
        id: current?.id ?? generateId(),
        hash,
        indexState: state,
        indexedHash: hash,
        indexSettings,
        ...(metadata !== undefined && { metadata }),
      })
      // Someone made it after it was found missing, and held nothing that could be waited for.
      if (expected && expected.hash === undefined && !created) throw changed(path)
      const owner = { source: 'documents', documentId: document.id } as const
      await stores.chunks.deleteOf(owner)
      const chunks = drafts.map((chunk) => ({ ...chunk, owner }))
      const group = { ...scope, groupId: document.id, chunks, vectors, spaceId }
      await writeIndex(stores, group, dependencies)
      return { document, created, indexing: state }
    },
    { signal },
  )
}

/** See `Memory.getDocument`. */
export async function getDocument(
  { storage }: Pick<WritingDependencies, 'storage'>,
  scope: Scope,
  path: string,
): Promise<MemoryDocument> {
  const normalized = normalizeMemoryPath(path)
  const document = await storage.transaction(accessOf(scope), async ({ documents }) => {
    const own = await documents.find(scope.agentId, scope.userId, normalized)
    return own ?? (scope.userId === '' ? undefined : documents.find(scope.agentId, '', normalized))
  })
  if (document === undefined) throw notFound(normalized)
  return document
}

/** See `Memory.listDocuments`. */
export async function listDocuments(
  { storage }: Pick<WritingDependencies, 'storage'>,
  scope: Scope,
  request: PageRequest & { readonly pathPrefix?: string | undefined },
): Promise<Page<DocumentSummary>> {
  const pathPrefix = normalizePathPrefix(request.pathPrefix)
  return storage.transaction(accessOf(scope), ({ documents }) =>
    documents.list(scope.agentId, { ...request, pathPrefix }),
  )
}

/** See `Memory.deleteDocument`. */
export async function deleteDocument(
  { storage }: Pick<WritingDependencies, 'storage'>,
  scope: Scope,
  path: string,
): Promise<DeletionReceipt> {
  const normalized = normalizeWritablePath(path)
  const receipt = await storage.transaction(accessOf(scope), ({ documents }) =>
    documents.delete(scope.agentId, scope.userId, normalized),
  )
  if (receipt === undefined) throw notFound(normalized)
  return receipt
}

function checkContent(content: unknown, path: string, { maxDocumentLength }: MemoryLimits): string {
  if (typeof content !== 'string') {
    const message = 'The content of a document must be a string.'
    throw new InvalidInputError({ message, issues: [{ path: 'content', message }] })
  }
  const size = `The document ${path} has ${content.length} characters`
  checkLimit('content', size, content.length, maxDocumentLength)
  return toStorableText(content)
}

function checkMetadata<Metadata extends Readonly<Record<string, unknown>>>(
  metadata: Metadata | undefined,
): Metadata | undefined {
  const issue = metadataIssue(metadata, 'metadata')
  if (issue !== undefined) throw new InvalidInputError({ message: issue.message, issues: [issue] })
  return storableMetadata(metadata)
}

function changed(path: string): ConflictError {
  return new ConflictError({
    message: `The document ${path} was changed by someone else in the meantime. Read it again.`,
    details: { path },
  })
}

function notFound(path: string): NotFoundError {
  return new NotFoundError({
    message: `There is no document at ${JSON.stringify(path)} for this user and agent. List the documents to see what there is.`,
    details: { path },
  })
}
