import { ConflictError } from '@loam/core'
import type { ApiKey, ApiKeyDirectory, ApiKeyStore, NewApiKey } from '@loam/storage'
import { and, asc, eq, sql } from 'drizzle-orm'
import type { Database } from '../database.js'
import { apiKeys } from '../schema/api-keys.js'
import { isUuid } from '../sql-values.js'
import { wholeRows } from '../whole-rows.js'
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
    async list() {
      const rows = await database
        .select()
        .from(apiKeys)
        .where(eq(apiKeys.tenantId, tenantId))
        .orderBy(asc(apiKeys.name))
      return rows.map(toApiKey)
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
