import { ConflictError } from '@loam/core'
import type { ApiKey, ApiKeyDirectory, ApiKeyStore, NewApiKey } from '@loam/storage'
import { and, asc, eq, gt, isNotNull, sql } from 'drizzle-orm'
import type { Database } from '../database.js'
import { apiKeys } from '../schema/api-keys.js'
import { checkLimit, readCursor, toPage } from '../paging.js'
import { isUuid } from '../sql-values.js'
import { wholeRows } from '../whole-rows.js'
import { MOST_ITEMS } from './page-sizes.js'
import type { StoreContext } from './store-context.js'

export function createApiKeyStore({ database, access }: StoreContext): ApiKeyStore {
  const { tenantId } = access
  return {
    async add(key) {
      const [row] = await insert(rowOf(key))
      return row && toApiKey(row)
    },
    async put(key) {
      const { name } = key
      const inserted = await insert(rowOf(key))
      const rows = inserted.length > 0 ? inserted : await replaceSecret(rowOf(key))
      const [row] = rows
      if (row) return toApiKey(row)
      throw new ConflictError({
        message: `The key ${JSON.stringify(name)} has an id or a secret that another key has. Make new ones.`,
        details: { name },
      })
    },
    async find(name) {
      const [row] = await database
        .select()
        .from(apiKeys)
        .where(and(eq(apiKeys.tenantId, tenantId), eq(apiKeys.name, name)))
      return row && toApiKey(row)
    },
    async list() {
      const rows = await database
        .select()
        .from(apiKeys)
        .where(eq(apiKeys.tenantId, tenantId))
        .orderBy(asc(apiKeys.name))
      return rows.map(toApiKey)
    },
    async listBound({ userId, limit, cursor }) {
      checkLimit(limit, MOST_ITEMS)
      const after = readCursor(cursor, asName)
      const rows = await database
        .select()
        .from(apiKeys)
        .where(
          and(
            eq(apiKeys.tenantId, tenantId),
            userId === undefined ? isNotNull(apiKeys.boundUserId) : eq(apiKeys.boundUserId, userId),
            after && gt(apiKeys.name, after[0]),
          ),
        )
        .orderBy(asc(apiKeys.name))
        .limit(limit + 1)
      return toPage(rows.map(toApiKey), limit, ({ name }) => [name])
    },
    async delete(id) {
      if (!isUuid(id)) return false
      const rows = await database
        .delete(apiKeys)
        .where(and(eq(apiKeys.tenantId, tenantId), eq(apiKeys.id, id)))
        .returning({ id: apiKeys.id })
      return rows.length > 0
    },
  }

  function rowOf({ id, name, hash, userId }: NewApiKey) {
    return { tenantId, id, name, hash, boundUserId: userId ?? null }
  }

  function insert(row: ReturnType<typeof rowOf>) {
    return database.insert(apiKeys).values(row).onConflictDoNothing().returning()
  }

  function replaceSecret(key: { name: string; hash: string; boundUserId: string | null }) {
    return database
      .update(apiKeys)
      .set({ hash: key.hash, boundUserId: key.boundUserId })
      .where(and(eq(apiKeys.tenantId, tenantId), eq(apiKeys.name, key.name)))
      .returning()
  }
}

const selectApiKeys = wholeRows(apiKeys)

export function createApiKeyDirectory(database: Database): ApiKeyDirectory {
  return {
    async findByHash(hash) {
      const [row] = await selectApiKeys(database, sql`where hash = ${hash}`)
      return row && toApiKey(row)
    },
  }
}

function toApiKey({ id, tenantId, name, boundUserId, createdAt }: typeof apiKeys.$inferSelect) {
  return { id, tenantId, name, userId: boundUserId ?? undefined, createdAt } satisfies ApiKey
}

function asName([name]: readonly unknown[]): readonly [string] | undefined {
  return typeof name === 'string' ? [name] : undefined
}
