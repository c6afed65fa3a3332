import type { Access } from '@loam/storage'
import { sql } from 'drizzle-orm'
import { execute, type Database } from '../database.js'
import { toChunkKey, keyColumns, type KeyRow, type SearchedScope } from './chunk-rows.js'
import {
  addChunk,
  addVector,
  createWarmScope,
  warmVectorsOf,
  type WarmScope,
} from './warm-scope.js'

/** What warm scopes are kept with. */
export interface WarmScopesOptions {
  /** Most bytes of all together, as estimated; 0 keeps none. */
  readonly maxBytes: number
  /** Scopes with more chunks than this are searched in the database. */
  readonly maxChunks: number
  /** Runs work in a transaction of its own. */
  readonly inBackground: (
    access: Access,
    work: (database: Database) => Promise<void>,
  ) => Promise<void>
}

/** What of a scope a search needs. */
export interface WarmRequest {
  readonly database: Database
  readonly access: Access
  readonly scope: SearchedScope
  /** Whose vectors are needed too. */
  readonly space?: { readonly id: number; readonly dimensions: number } | undefined
}

/** Scopes that were searched of late, in memory, so that the next search reads no postings and no vectors. */
export interface WarmScopes {
  /** The scope as of its revision; undefined when it is not in memory, and (yet) has to be searched in the database. */
  get(request: WarmRequest): Promise<WarmScope | undefined>
  /** Resolves when nothing is loading. */
  close(): Promise<void>
}

/** Up to so many arriving chunks a search waits for; more are loaded while the database answers. */
const MAX_AWAITED_CHUNKS = 1_000

/**
 * Keeps scopes in memory, least recently searched first out.
 *
 * The row of a scope, read under row-level security in the transaction of the search, says whether the user may see it and at
 * which revision it is; what is in memory is used only for that revision, and brought up to it by what arrived since. After
 * a removal it is loaded anew.
 */
export function createWarmScopes({
  maxBytes,
  maxChunks,
  inBackground,
}: WarmScopesOptions): WarmScopes {
  const scopes = new Map<string, WarmScope>()
  const loading = new Map<string, Promise<void>>()

  async function get(request: WarmRequest): Promise<WarmScope | undefined> {
    const { access, scope, space, database } = request
    if (maxBytes === 0 || scope.chunkCount > maxChunks) return undefined
    const key = `${access.tenantId} ${scope.scopeId}`
    // Somebody else may be loading an earlier revision.
    for (let turn = 0; turn < 3; turn += 1) {
      const warm = scopes.get(key)
      if (warm && isCurrent(warm, scope, space?.id)) {
        scopes.delete(key)
        scopes.set(key, warm)
        return warm
      }
      const others = loading.get(key)
      if (others === undefined) {
        const present =
          warm && warm.revision >= scope.removedRevision ? warm : createWarmScope(scope.scopeId)
        const missing =
          space !== undefined && !present.spaces.has(space.id)
            ? scope.chunkCount
            : scope.chunkCount - present.chunks.length
        const load = async (connection: Database) => {
          await bringUp(connection, access.tenantId, present, request)
          scopes.set(key, present)
          evict()
        }
        if (missing > MAX_AWAITED_CHUNKS) {
          void track(key, inBackground(access, load))
          return undefined
        }
        await track(key, load(database))
      } else if (scope.chunkCount > MAX_AWAITED_CHUNKS) return undefined
      else await others
    }
    return undefined
  }

  function track(key: string, work: Promise<void>): Promise<void> {
    // A load that fails leaves the scope to the database; the search that needed it meets the cause itself.
    const tracked = work.catch(() => {}).finally(() => loading.delete(key))
    loading.set(key, tracked)
    return tracked
  }

  function evict(): void {
    let bytes = [...scopes.values()].reduce((sum, warm) => sum + warm.bytes, 0)
    for (const [key, warm] of scopes) {
      if (bytes <= maxBytes) return
      scopes.delete(key)
      bytes -= warm.bytes
    }
  }

  return {
    get,
    async close() {
      await Promise.allSettled(loading.values())
      scopes.clear()
    },
  }
}

function isCurrent(warm: WarmScope, scope: SearchedScope, spaceId: number | undefined): boolean {
  return (
    warm.revision === scope.revision &&
    (spaceId === undefined || warm.spaces.get(spaceId)?.revision === scope.revision)
  )
}

interface ArrivingRow extends KeyRow {
  readonly length: number
  readonly expiresAt: number | null
  readonly terms: string
  readonly frequencies: string
}

/** Adds what arrived up to the scope's revision. */
async function bringUp(
  database: Database,
  tenantId: string,
  warm: WarmScope,
  { scope: { scopeId, revision }, space }: WarmRequest,
): Promise<void> {
  const rows =
    warm.revision >= revision
      ? []
      : await execute<ArrivingRow>(
          database,
          sql`select ${keyColumns}, c.length, (extract(epoch from c.expires_at) * 1000)::float8 as "expiresAt",
            array_to_json(c.terms)::text as terms, array_to_json(c.frequencies)::text as frequencies
          from loam.chunks c where c.tenant_id = ${tenantId} and c.scope_id = ${scopeId}::bigint
            and c.revision > ${warm.revision}::bigint and c.revision <= ${revision}::bigint order by c.id`,
        )
  const vectors = space && warmVectorsOf(warm, space.id, space.dimensions)
  const arriving =
    space && vectors && vectors.revision < revision
      ? await execute<{ readonly chunkId: string; readonly embedding: string }>(
          database,
          sql`select v.chunk_id as "chunkId", encode(vector_send(v.embedding), 'base64') as embedding
          from loam.chunk_vectors v where v.tenant_id = ${tenantId} and v.space_id = ${space.id}::int
            and v.scope_id = ${scopeId}::bigint and not v.is_zero
            and v.revision > ${vectors.revision}::bigint and v.revision <= ${revision}::bigint order by v.chunk_id`,
        )
      : []
  // Applied without a pause, so that no search sees half of it.
  for (const row of rows) {
    addChunk(warm, {
      key: toChunkKey(row),
      length: row.length,
      expiresAt: row.expiresAt ?? undefined,
      terms: JSON.parse(row.terms) as string[],
      frequencies: JSON.parse(row.frequencies) as number[],
    })
  }
  warm.revision = Math.max(warm.revision, revision)
  if (vectors) {
    for (const { chunkId, embedding } of arriving) {
      addVector(warm, vectors, chunkId, readVector(embedding))
    }
    vectors.revision = Math.max(vectors.revision, revision)
  }
}

/** Reads pgvector's binary form: two short integers, then numbers of single precision, most significant byte first. */
function readVector(base64: string): Float32Array {
  const bytes = Buffer.from(base64, 'base64').subarray(4)
  const vector = new Float32Array(bytes.length / 4)
  for (let index = 0; index < vector.length; index += 1)
    vector[index] = bytes.readFloatBE(index * 4)
  return vector
}
