import type { ChunkFilter, ChunkKey, ChunkSource } from '@loam/storage'
import { and, eq, inArray, sql, type SQL } from 'drizzle-orm'
import { visibleOwners } from '../paging.js'
import { scopes } from '../schema/scopes.js'
import { afterPrefix, isUuid, momentValue, textArray } from '../sql-values.js'
import type { StoreContext } from './store-context.js'

/** The columns of a chunk `c` that make a `ChunkKey`. */
export const keyColumns = sql.raw(
  `c.id as "chunkId", c.source, c.group_id as "groupId", c.position, c.part, c.user_id as "userId", c.path,
   c.start_line as "startLine", c.speaker, (extract(epoch from c.occurred_at) * 1000)::float8 as "occurredAt"`,
)

/** A row of `keyColumns`. */
export interface KeyRow {
  readonly chunkId: string
  readonly source: ChunkSource
  readonly groupId: string
  readonly position: number
  readonly part: number
  readonly userId: string
  readonly path: string | null
  readonly startLine: number | null
  readonly speaker: string | null
  readonly occurredAt: number
}

/** The key that a row of `keyColumns` stands for. */
export function toChunkKey(row: KeyRow): ChunkKey {
  return {
    chunkId: row.chunkId,
    source: row.source,
    groupId: row.groupId,
    position: row.position,
    part: row.part,
    userId: row.userId,
    path: row.path ?? undefined,
    startLine: row.startLine ?? undefined,
    speaker: row.speaker ?? undefined,
    occurredAt: new Date(Math.round(row.occurredAt)),
  }
}

/** One of the scopes that a search covers. */
export interface SearchedScope {
  readonly scopeId: number
  readonly chunkCount: number
  readonly termCount: number
  readonly sessionCount: number
  readonly sessionTermCount: number
  readonly revision: number
  readonly removedRevision: number
  /** Whether this unit of work has written anything yet. */
  readonly hasWritten: boolean
}

/** The scopes that a search covers: the user's own and the shared one, or all of the agent's with access to every user. */
export async function searchedScopes(
  { database, access }: StoreContext,
  agentId: string,
): Promise<readonly SearchedScope[]> {
  if (!isUuid(agentId)) return []
  const owners = visibleOwners(access)
  return await database
    .select({
      scopeId: scopes.scopeId,
      chunkCount: scopes.chunkCount,
      termCount: scopes.termCount,
      sessionCount: scopes.sessionCount,
      sessionTermCount: scopes.sessionTermCount,
      revision: scopes.revision,
      removedRevision: scopes.removedRevision,
      hasWritten: sql<boolean>`pg_current_xact_id_if_assigned() is not null`,
    })
    .from(scopes)
    .where(
      and(
        eq(scopes.tenantId, access.tenantId),
        eq(scopes.agentId, agentId),
        owners && inArray(scopes.userId, [...owners]),
      ),
    )
}

/** The condition under which a chunk `c` may be found. */
export function findable({ access }: StoreContext, filter: ChunkFilter): SQL {
  const { agentId, sources, pathPrefix = '', now } = filter
  const conditions = [
    sql`c.tenant_id = ${access.tenantId}`,
    sql`c.source = any (${textArray(sources)})`,
    sql`(c.expires_at is null or c.expires_at > ${momentValue(now)})`,
  ]
  if (pathPrefix !== '') {
    const end = afterPrefix(pathPrefix)
    const below = end === undefined ? sql`` : sql` and c.path < ${end}::text`
    conditions.push(sql`(c.source <> 'documents' or (c.path >= ${pathPrefix}::text${below}))`)
  }
  if (!access.everyUser && access.userId !== '') {
    conditions.push(sql`not (c.source = 'documents' and c.user_id = '' and exists (
      select from loam.documents own where own.tenant_id = ${access.tenantId} and own.agent_id = ${agentId}::uuid
        and own.user_id = ${access.userId}::text and own.path = c.path))`)
  }
  return sql.join(conditions, sql` and `)
}
