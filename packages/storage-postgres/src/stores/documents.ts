import type { DocumentStore, DocumentSummary, MemoryDocument } from '@loam/storage'
import { and, asc, eq, getTableColumns, gte, lt, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { execute, executeOne } from '../database.js'
import { checkLimit, readCursor, toPage, visibleOwners } from '../paging.js'
import { documents } from '../schema/documents.js'
import { afterPrefix, isUuid } from '../sql-values.js'
import { MOST_ITEMS } from './page-sizes.js'
import { toReceipt, type CountRow } from './receipts.js'
import type { StoreContext } from './store-context.js'

export function createDocumentStore({ database, access }: StoreContext): DocumentStore {
  const { tenantId } = access
  const ofAgent = (agentId: string) =>
    and(eq(documents.tenantId, tenantId), eq(documents.agentId, agentId))
  const at = (agentId: string, userId: string, path: string) =>
    and(ofAgent(agentId), eq(documents.userId, userId), eq(documents.path, path))

  const find: DocumentStore['find'] = async (agentId, userId, path) => {
    if (!isUuid(agentId)) return undefined
    const [row] = await database
      .select()
      .from(documents)
      .where(at(agentId, userId, path))
    return row && toDocument(row)
  }

  return {
    find,
    async put(document) {
      const content = {
        content: document.content,
        hash: document.hash,
        indexState: document.indexState,
        indexedHash: document.indexedHash ?? null,
        indexSettings: document.indexSettings ?? null,
        ...(document.metadata && { metadata: document.metadata }),
      }
      const { id, agentId, userId, path } = document
      const [row] = await database
        .insert(documents)
        .values({ tenantId, id, agentId, userId, path, ...content })
        .onConflictDoUpdate({
          target: [documents.tenantId, documents.agentId, documents.userId, documents.path],
          set: { ...content, updatedAt: sql`clock_timestamp()` },
        })
        // A row that was never updated has no transaction that replaced it.
        .returning({ ...getTableColumns(documents), created: sql<boolean>`(xmax = 0)` })
      if (row === undefined) throw new TypeError('An upsert returned no row.')
      return { document: toDocument(row), created: row.created }
    },
    async lock(agentId, userId, path) {
      const name = JSON.stringify([tenantId, agentId, userId, path])
      await execute(
        database,
        sql`select pg_advisory_xact_lock(hashtextextended(${name}::text, 0))::text`,
      )
      return find(agentId, userId, path)
    },
    async list(agentId, { limit, cursor, pathPrefix = '' }) {
      checkLimit(limit, MOST_ITEMS)
      const place = readCursor(cursor, asPlace)
      if (!isUuid(agentId)) return { items: [] }
      const end = afterPrefix(pathPrefix)
      const inOrderOf = (owner?: string) =>
        database
          .select(summaryColumns)
          .from(documents)
          .where(
            and(
              ofAgent(agentId),
              owner === undefined ? undefined : eq(documents.userId, owner),
              pathPrefix === '' ? undefined : gte(documents.path, pathPrefix),
              end === undefined ? undefined : lt(documents.path, end),
              place && gte(documents.path, place[0]),
              place &&
                sql`(${documents.path}, ${documents.userId}) > (${place[0]}::text, ${place[1]}::text)`,
            ),
          )
          .orderBy(asc(documents.path), asc(documents.userId))
          .limit(limit + 1)
      const [shared, own] = visibleOwners(access) ?? []
      const rows =
        shared !== undefined && own !== undefined
          ? await unionAll(inOrderOf(shared), inOrderOf(own))
              .orderBy(asc(documents.path), asc(documents.userId))
              .limit(limit + 1)
          : await inOrderOf(shared)
      return toPage(rows.map(toSummary), limit, ({ path, userId }) => [path, userId])
    },
    async setIndexState(id, state) {
      if (!isUuid(id)) return
      await database
        .update(documents)
        .set({ indexState: state })
        .where(and(eq(documents.tenantId, tenantId), eq(documents.id, id)))
    },
    async delete(agentId, userId, path) {
      if (!isUuid(agentId)) return undefined
      const [locked] = await database
        .select({ id: documents.id })
        .from(documents)
        .where(at(agentId, userId, path))
        .for('update')
      if (!locked) return undefined
      const counts = await executeOne<CountRow>(database, countRows(tenantId, locked.id))
      await database
        .delete(documents)
        .where(and(eq(documents.tenantId, tenantId), eq(documents.id, locked.id)))
      return toReceipt({ ...counts, documents: 1 })
    },
  }
}

const { content: _content, tenantId: _tenantId, ...summaryColumns } = getTableColumns(documents)

function countRows(tenantId: string, documentId: string) {
  const ofDocument = sql`c.tenant_id = ${tenantId} and c.document_id = ${documentId}`
  return sql`select
    (select count(*)::int from loam.chunks c where ${ofDocument}) as chunks,
    (select count(*)::int from loam.chunks c join loam.chunk_vectors v on v.tenant_id = c.tenant_id and v.chunk_id = c.id
      where ${ofDocument}) as vectors`
}

function asPlace([path, userId]: readonly unknown[]): readonly [string, string] | undefined {
  return typeof path === 'string' && typeof userId === 'string' ? [path, userId] : undefined
}

type DocumentRow = typeof documents.$inferSelect

function toSummary(row: Omit<DocumentRow, 'content' | 'tenantId'>): DocumentSummary {
  return {
    id: row.id,
    agentId: row.agentId,
    userId: row.userId,
    path: row.path,
    hash: row.hash,
    metadata: row.metadata,
    indexState: row.indexState,
    indexedHash: row.indexedHash ?? undefined,
    indexSettings: row.indexSettings ?? undefined,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    contentLength: row.contentLength,
  }
}

function toDocument(row: DocumentRow): MemoryDocument {
  const { contentLength: _contentLength, ...summary } = toSummary(row)
  return { ...summary, content: row.content }
}
