import type { ChunkFilter, VectorMatch } from '@loam/storage'
import { sql } from 'drizzle-orm'
import { execute } from '../database.js'
import { bigintArray, jsonValue } from '../sql-values.js'
import { indexedDistance, vectorIndexName } from '../vector-index.js'
import { findable, keyColumns, toChunkKey, type KeyRow } from './chunk-rows.js'
import { vectorText } from '../vector-values.js'
import { checkVector, isZero, knownSpace } from './embedding-spaces.js'
import type { StoreContext } from './store-context.js'
import {
  nearestWarm,
  scopesToSearch,
  warmFindable,
  warmScopesOf,
  type SearchContext,
} from './warm-search.js'

interface VectorQuery {
  readonly spaceId: number
  readonly dimensions: number
  readonly vector: string
  readonly scopeIds: readonly number[]
}

interface Neighbour {
  readonly chunkId: string
  readonly distance: number
}

/**
 * Finds the chunks nearest to a vector. Small scopes are searched exactly; a large one through the HNSW index of the space, if there is
 * one, and exactly when the index does not yield enough.
 */
export async function nearest(
  context: SearchContext,
  filter: ChunkFilter,
  query: { readonly spaceId: number; readonly vector: readonly number[]; readonly limit: number },
): Promise<readonly VectorMatch[]> {
  const { dimensions } = await knownSpace(context, query.spaceId)
  checkVector(query.vector, dimensions)
  const scopes = await scopesToSearch(context, filter.agentId)
  const chunkCount = scopes.reduce((total, scope) => total + scope.chunkCount, 0)
  if (isZero(query.vector) || chunkCount === 0 || filter.sources.length === 0 || query.limit < 1) {
    return []
  }
  const warm = await warmScopesOf(context, {
    agentId: filter.agentId,
    scopes,
    space: { id: query.spaceId, dimensions },
  })
  if (warm) return nearestWarm(warm, query, await warmFindable(context, filter, warm))
  const search: VectorQuery = {
    spaceId: query.spaceId,
    dimensions,
    vector: vectorText(query.vector),
    scopeIds: scopes.map(({ scopeId }) => scopeId),
  }
  if (chunkCount > context.exactVectorSearchLimit && (await hasIndex(context, query.spaceId))) {
    const found = await findableAmong(context, filter, query.limit, (count) =>
      approximateNeighbours(context, search, count),
    )
    if (found.length >= query.limit) return found
  }
  return await findableAmong(context, filter, query.limit, (count) =>
    exactNeighbours(context, search, count),
  )
}

/** Asks for more neighbours until enough of them may be found: most often all may, so that the first round suffices. */
async function findableAmong(
  context: StoreContext,
  filter: ChunkFilter,
  limit: number,
  neighbours: (count: number) => Promise<readonly Neighbour[]>,
): Promise<readonly VectorMatch[]> {
  for (let count = limit + 20; ; count *= 8) {
    const near = await neighbours(count)
    const rows = await execute<KeyRow & { readonly distance: number }>(
      context.database,
      sql`select n.distance, ${keyColumns}
      from jsonb_to_recordset(${jsonValue(near)}) as n ("chunkId" uuid, distance float8)
      join loam.chunks c on c.tenant_id = ${context.access.tenantId} and c.id = n."chunkId"
      where ${findable(context, filter)} order by n.distance, c.id limit ${limit}::int`,
    )
    if (rows.length === limit || near.length < count) {
      return rows.map((row) => ({ ...toChunkKey(row), similarity: 1 - row.distance }))
    }
  }
}

async function exactNeighbours(
  { database, access }: StoreContext,
  { spaceId, scopeIds, vector }: VectorQuery,
  count: number,
): Promise<readonly Neighbour[]> {
  return await execute<Neighbour>(
    database,
    // Materialised, so that the planner does not walk the index of the whole space for a small scope.
    sql`with scoped as materialized (
      select v.chunk_id, v.embedding from loam.chunk_vectors v
      where v.tenant_id = ${access.tenantId} and v.space_id = ${spaceId}::int and v.scope_id = any (${bigintArray(scopeIds)})
        and not v.is_zero
    ), measured as (
      select chunk_id as "chunkId", embedding <=> ${vector}::text::vector as distance from scoped
    )
    select * from measured where distance <> 'NaN' order by distance, "chunkId" limit ${count}::int`,
  )
}

async function approximateNeighbours(
  { database, access }: StoreContext,
  { spaceId, dimensions, scopeIds, vector }: VectorQuery,
  count: number,
): Promise<readonly Neighbour[]> {
  await execute(
    database,
    sql`select set_config('hnsw.iterative_scan', 'relaxed_order', true), set_config('hnsw.ef_search', ${String(Math.min(1000, Math.max(40, count)))}, true)`,
  )
  // The index is used only for the very expression and condition that it was made with.
  const distance = indexedDistance(dimensions, sql`${vector}`)
  const found = await execute<Neighbour>(
    database,
    sql`select v.chunk_id as "chunkId", ${distance} as distance from loam.chunk_vectors v
    where v.space_id = ${sql.raw(String(spaceId))} and not v.is_zero and v.tenant_id = ${access.tenantId}
      and v.scope_id = any (${bigintArray(scopeIds)})
    order by ${distance} limit ${count}::int`,
  )
  return found.toSorted((a, b) => a.distance - b.distance)
}

async function hasIndex({ database }: StoreContext, spaceId: number): Promise<boolean> {
  const rows = await execute(
    database,
    sql`select from pg_catalog.pg_index i join pg_catalog.pg_class c on c.oid = i.indexrelid
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'loam' and c.relname = ${vectorIndexName(spaceId)}::text and i.indisvalid`,
  )
  return rows.length > 0
}
