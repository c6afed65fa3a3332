import type { AbortableOptions, EmbeddingModel, Scope } from '@loam/core'
import type { Access, ChunkStore, Storage } from '@loam/storage'
import { accessOf } from '../access.js'
import { EMBEDDING_BATCH_SIZE, embedInBatches } from '../indexing/embed-in-batches.js'
import type { EmbeddingSpaceLookup } from '../indexing/embedding-space.js'
import { embeddableText } from '../indexing/message-text.js'

/** What the backfill works with. */
export interface BackfillDependencies {
  readonly storage: Storage
  readonly embeddings: EmbeddingModel
  readonly spaces: EmbeddingSpaceLookup
}

const DOCUMENTS_PER_PAGE = 200

/** See `Memory.embedMissing`. A failure of the model is thrown; what was embedded before it stays. */
export async function embedMissing(
  { storage, embeddings, spaces }: BackfillDependencies,
  scope: Scope,
  { groupId }: { readonly groupId?: string | undefined } = {},
  { signal }: AbortableOptions = {},
): Promise<number> {
  const access = accessOf(scope)
  const spaceId = await spaces.idFor(scope)
  const embedded = new Set<string>()
  const agentIds = new Set([scope.agentId])
  for (;;) {
    signal?.throwIfAborted()
    const missing = await storage.transaction(access, ({ chunks }) =>
      chunks.withoutVector({ spaceId, groupId, limit: EMBEDDING_BATCH_SIZE }),
    )
    // A store that did not keep the vectors must not be asked for ever.
    const fresh = missing.filter(({ chunkId }) => !embedded.has(chunkId))
    if (fresh.length === 0) break
    const vectors = await embedForOwners(fresh, scope, embeddings, signal)
    await storage.transaction(access, ({ embeddingSpaces }) =>
      embeddingSpaces.putVectors(spaceId, vectors),
    )
    for (const { chunkId, agentId } of fresh) {
      embedded.add(chunkId)
      agentIds.add(agentId)
    }
  }
  await settleDocuments(storage, access, { agentIds, groupId, spaceId })
  return embedded.size
}

/** Embeds chunks in one call for each agent and user, so that each call is paid by whose text it was. */
async function embedForOwners(
  missing: readonly MissingVector[],
  { tenantId }: Scope,
  embeddings: EmbeddingModel,
  signal: AbortSignal | undefined,
) {
  const owners = new Map<string, MissingVector[]>()
  for (const chunk of missing) {
    const owner = JSON.stringify([chunk.agentId, chunk.userId])
    owners.set(owner, [...(owners.get(owner) ?? []), chunk])
  }
  const rows: { readonly chunkId: string; readonly vector: readonly number[] }[] = []
  for (const chunks of owners.values()) {
    const [{ agentId, userId } = { agentId: '', userId: '' }] = chunks
    const scope = { tenantId, agentId, userId }
    const texts = chunks.map(({ text }) => embeddableText(text))
    const context = { scope, task: 'memory.embedMissing', signal }
    const vectors = await embedInBatches(texts, context, embeddings)
    for (const [index, { chunkId }] of chunks.entries()) {
      rows.push({ chunkId, vector: vectors[index] ?? [] })
    }
  }
  return rows
}

type MissingVector = Awaited<ReturnType<ChunkStore['withoutVector']>>[number]

/** Documents whose last vector has come are complete; one that was written again meanwhile may lack some anew. */
async function settleDocuments(
  storage: Storage,
  access: Access,
  place: {
    readonly agentIds: ReadonlySet<string>
    readonly groupId: string | undefined
    readonly spaceId: number
  },
): Promise<void> {
  const ids = place.groupId === undefined ? [] : [place.groupId]
  if (place.groupId === undefined) {
    for (const agentId of place.agentIds) {
      ids.push(...(await lexicalDocuments(storage, access, agentId)))
    }
  }
  for (const id of ids) {
    await storage.transaction(access, async ({ chunks, documents }) => {
      const request = { spaceId: place.spaceId, groupId: id, limit: 1 }
      const missing = await chunks.withoutVector(request)
      if (missing.length === 0) await documents.setIndexState(id, 'complete')
    })
  }
}

async function lexicalDocuments(storage: Storage, access: Access, agentId: string) {
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const page = await storage.transaction(access, ({ documents }) =>
      documents.list(agentId, { limit: DOCUMENTS_PER_PAGE, cursor }),
    )
    for (const { id, indexState } of page.items) if (indexState === 'lexical') ids.push(id)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return ids
}
