import type { AbortableOptions, EmbeddingModel, Scope } from '@loam/core'
import type { Access, ChunkStore, Page, Storage } from '@loam/storage'
import { EMBEDDING_BATCH_SIZE, embedInBatches } from '../indexing/embed-in-batches.js'
import type { EmbeddingSpaceLookup } from '../indexing/embedding-space.js'
import { embeddableText } from '../indexing/message-text.js'

/** What the backfill works with. */
export interface BackfillDependencies {
  readonly storage: Storage
  readonly embeddings: EmbeddingModel
  readonly spaces: EmbeddingSpaceLookup
}

const PAGE_SIZE = 200

/** See `Memory.embedMissing`. A failure of the model is thrown; what was embedded before it stays. */
export async function embedMissing(
  { storage, embeddings, spaces }: BackfillDependencies,
  access: Access,
  { groupId }: { readonly groupId?: string | undefined } = {},
  { signal }: AbortableOptions = {},
): Promise<number> {
  const spaceId = await spaces.idFor(access)
  let count = 0
  let afterChunkId: string | undefined
  for (;;) {
    signal?.throwIfAborted()
    const sinceErasure = storage.lastErasure()
    const missing = await storage.transaction(access, ({ chunks }) =>
      chunks.withoutVector({ spaceId, groupId, afterChunkId, limit: EMBEDDING_BATCH_SIZE }),
    )
    if (missing.length === 0) break
    const vectors = await embedForOwners(missing, { ...access, sinceErasure }, embeddings, signal)
    await storage.transaction(access, ({ embeddingSpaces }) =>
      embeddingSpaces.putVectors(spaceId, vectors),
    )
    count += missing.length
    afterChunkId = missing.at(-1)?.chunkId
  }
  const ids = groupId === undefined ? await lexicalDocuments(storage, access) : [groupId]
  await settleDocuments(storage, access, { ids, spaceId })
  return count
}

/** Embeds chunks in one call for each agent and user, so that each call is paid by whose text it was. */
async function embedForOwners(
  missing: readonly MissingVector[],
  { tenantId, sinceErasure }: Pick<Scope, 'tenantId' | 'sinceErasure'>,
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
    const scope = { tenantId, agentId, userId, sinceErasure }
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
  { ids, spaceId }: { readonly ids: readonly string[]; readonly spaceId: number },
): Promise<void> {
  for (const id of ids) {
    await storage.transaction(access, async ({ chunks, documents }) => {
      const missing = await chunks.withoutVector({ spaceId, groupId: id, limit: 1 })
      if (missing.length === 0) await documents.setIndexState(id, 'complete')
    })
  }
}

async function lexicalDocuments(storage: Storage, access: Access): Promise<readonly string[]> {
  const ids: string[] = []
  const agents = allPages((cursor) =>
    storage.transaction(access, (stores) => stores.agents.list({ limit: PAGE_SIZE, cursor })),
  )
  for await (const agent of agents) {
    const documents = allPages((cursor) =>
      storage.transaction(access, (stores) =>
        stores.documents.list(agent.id, { limit: PAGE_SIZE, cursor }),
      ),
    )
    for await (const { id, indexState } of documents) if (indexState === 'lexical') ids.push(id)
  }
  return ids
}

async function* allPages<Item>(
  read: (cursor: string | undefined) => Promise<Page<Item>>,
): AsyncGenerator<Item> {
  let cursor: string | undefined
  do {
    const page = await read(cursor)
    yield* page.items
    cursor = page.nextCursor
  } while (cursor !== undefined)
}
