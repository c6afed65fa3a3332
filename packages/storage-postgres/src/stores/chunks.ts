import { InvalidInputError } from '@loam/core'
import type { Chunk, ChunkOwner, ChunkStore, NewChunk } from '@loam/storage'
import { sql, type SQL } from 'drizzle-orm'
import { execute, executeOne } from '../database.js'
import { visibleOwners } from '../paging.js'
import { bigintArray, isUuid, jsonValue, uuidArray } from '../sql-values.js'
import { keyColumns, toChunkKey, type KeyRow } from './chunk-rows.js'
import { matchTerms } from './lexical-search.js'
import type { StoreContext } from './store-context.js'
import { nearest } from './vector-search.js'
import { lastWarm, warmAt, type SearchContext } from './warm-search.js'

export function createChunkStore(given: StoreContext): ChunkStore {
  const context: SearchContext = { ...given }
  const { database, access } = context
  const ofTenant = sql`c.tenant_id = ${access.tenantId}`

  return {
    matchTerms: (filter, terms, limits) => matchTerms(context, filter, terms, limits),
    nearest: (filter, query) => nearest(context, filter, query),
    async insert(chunks) {
      const [first] = chunks
      if (first === undefined) return
      const { agentId, userId } = first
      if (chunks.some((chunk) => chunk.agentId !== agentId || chunk.userId !== userId)) {
        throw new InvalidInputError({
          message:
            'The chunks belong to several agents or users. Insert those of each by themselves.',
        })
      }
      await execute(
        database,
        // The revision is drawn when the scope's row is locked.
        sql`with scope as (
          insert into loam.scopes as s (tenant_id, agent_id, user_id)
          values (${access.tenantId}::uuid, ${agentId}::uuid, ${userId}::text)
          on conflict (tenant_id, agent_id, user_id) do update set revision = nextval('loam.scope_revisions')
          returning s.scope_id, s.revision
        )
        insert into loam.chunks (tenant_id, scope_id, agent_id, user_id, id, document_id, session_id, sequence, episode_id,
          position, part, text, path, start_line, end_line, speaker, occurred_at, expires_at, terms, frequencies, length, revision)
        select ${access.tenantId}::uuid, scope.scope_id, ${agentId}::uuid, ${userId}::text, c.*, scope.revision
        from scope cross join jsonb_to_recordset(${jsonValue(chunks.map(toRow))}) as c (id uuid, document_id uuid, session_id uuid,
          sequence int, episode_id uuid, position int, part int, text text, path text, start_line int, end_line int,
          speaker text, occurred_at timestamptz, expires_at timestamptz, terms text[], frequencies int[], length int)`,
      )
    },
    async deleteOf(owner) {
      const condition = ownedBy(owner)
      if (condition === undefined) return 0
      const rows = await execute(
        database,
        sql`delete from loam.chunks c where ${ofTenant} and ${condition} returning c.id`,
      )
      return rows.length
    },
    async read(chunkIds) {
      const rows = await execute<ChunkRow>(
        database,
        sql`select ${keyColumns}, c.text, c.end_line as "endLine", s.key as "sessionKey", m.id as "messageId"
        from loam.chunks c
        left join loam.messages m on m.tenant_id = c.tenant_id and m.session_id = c.session_id and m.sequence = c.sequence
        left join loam.episodes e on e.tenant_id = c.tenant_id and e.id = c.episode_id
        left join loam.sessions s on s.tenant_id = c.tenant_id and s.id = coalesce(c.session_id, e.session_id)
        where ${ofTenant} and c.id = any (${uuidArray(chunkIds.filter(isUuid))})`,
      )
      return rows.map(toChunk)
    },
    async at(places) {
      const warm = lastWarm(context)
      if (warm) return places.flatMap(({ groupId, position }) => warmAt(warm, groupId, position))
      const conditions = [...positionsByGroup(places)].map(
        ([groupId, positions]) =>
          sql`(c.group_id = ${groupId} and c.position = any (${bigintArray([...positions])}::int[]))`,
      )
      if (conditions.length === 0) return []
      const rows = await execute<KeyRow>(
        database,
        sql`select ${keyColumns} from loam.chunks c where ${ofTenant} and (${sql.join(conditions, sql` or `)})`,
      )
      return rows.map(toChunkKey)
    },
    async withoutVector({ spaceId, groupId, afterChunkId, limit }) {
      if (groupId !== undefined && !isUuid(groupId)) return []
      const after = afterChunkId === undefined ? sql`` : sql` and c.id > ${afterChunkId}::uuid`
      const inGroup = groupId === undefined ? sql`` : sql` and c.group_id = ${groupId}`
      return await execute(
        database,
        sql`select c.id as "chunkId", c.agent_id as "agentId", c.user_id as "userId", c.text from loam.chunks c
        where ${ofTenant}${inGroup}${after} and not exists (
          select from loam.chunk_vectors v
          where v.tenant_id = ${access.tenantId} and v.chunk_id = c.id and v.space_id = ${spaceId}::int)
        order by c.id limit ${limit}::int`,
      )
    },
    async coverage(spaceId) {
      const owners = visibleOwners(access)
      const visible =
        owners === undefined
          ? sql``
          : sql` and s.user_id in (${sql.join(
              owners.map((owner) => sql`${owner}::text`),
              sql`, `,
            )})`
      const { chunks, vectors } = await executeOne<{ chunks: number; vectors: number }>(
        database,
        sql`with visible as materialized (
          select s.scope_id, s.chunk_count from loam.scopes s where s.tenant_id = ${access.tenantId}${visible}
        )
        select (select coalesce(sum(chunk_count), 0)::float8 from visible) as chunks,
          (select count(*)::float8 from loam.chunk_vectors v where v.tenant_id = ${access.tenantId}
            and v.space_id = ${spaceId}::int and v.scope_id in (select scope_id from visible)) as vectors`,
      )
      return { chunks, withoutVector: chunks - vectors }
    },
  }
}

function positionsByGroup(places: Parameters<ChunkStore['at']>[0]): Map<string, Set<number>> {
  const groups = new Map<string, Set<number>>()
  for (const { groupId, position } of places) {
    if (!isUuid(groupId)) continue
    const positions = groups.get(groupId) ?? new Set()
    groups.set(groupId, positions.add(position))
  }
  return groups
}

function toRow(chunk: NewChunk) {
  const { owner } = chunk
  const frequencies = [...chunk.terms.values()]
  return {
    id: chunk.id,
    document_id: owner.source === 'documents' ? owner.documentId : null,
    session_id: owner.source === 'messages' ? owner.sessionId : null,
    sequence: owner.source === 'messages' ? owner.sequence : null,
    episode_id: owner.source === 'episodes' ? owner.episodeId : null,
    position: chunk.position,
    part: chunk.part,
    text: chunk.text,
    path: chunk.path,
    start_line: chunk.startLine,
    end_line: chunk.endLine,
    speaker: chunk.speaker,
    occurred_at: chunk.occurredAt,
    expires_at: chunk.expiresAt,
    terms: [...chunk.terms.keys()],
    frequencies,
    length: frequencies.reduce((total, frequency) => total + frequency, 0),
  }
}

/** The condition on a chunk `c` that names its owner; undefined when no owner can have such an id. */
function ownedBy(owner: ChunkOwner): SQL | undefined {
  if (owner.source === 'documents') {
    return isUuid(owner.documentId) ? sql`c.document_id = ${owner.documentId}` : undefined
  }
  if (owner.source === 'episodes') {
    return isUuid(owner.episodeId) ? sql`c.episode_id = ${owner.episodeId}` : undefined
  }
  const { sessionId, sequence } = owner
  return isUuid(sessionId)
    ? sql`c.session_id = ${sessionId} and c.sequence = ${sequence}`
    : undefined
}

interface ChunkRow extends KeyRow {
  readonly text: string
  readonly endLine: number | null
  readonly sessionKey: string | null
  readonly messageId: string | null
}

function toChunk(row: ChunkRow): Chunk {
  return {
    ...toChunkKey(row),
    text: row.text,
    endLine: row.endLine ?? undefined,
    sessionKey: row.sessionKey ?? undefined,
    messageId: row.messageId ?? undefined,
  }
}
