import type { Episode, EpisodeStore } from '@loam/storage'
import { and, desc, eq, getTableColumns, gt, isNull, or, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { execute } from '../database.js'
import { asMomentCursor, before, checkLimit, readCursor, toPage, visibleOwners } from '../paging.js'
import { episodes } from '../schema/episodes.js'
import { sessions } from '../schema/sessions.js'
import { isUuid, jsonValue, momentValue } from '../sql-values.js'
import { MOST_ITEMS } from './page-sizes.js'
import type { StoreContext } from './store-context.js'

export function createEpisodeStore({ database, access }: StoreContext): EpisodeStore {
  const { tenantId } = access
  const ofTenant = eq(episodes.tenantId, tenantId)
  const select = () =>
    database
      .select({ ...getTableColumns(episodes), sessionKey: sessions.key })
      .from(episodes)
      .innerJoin(
        sessions,
        and(eq(sessions.tenantId, episodes.tenantId), eq(sessions.id, episodes.sessionId)),
      )

  return {
    async insertIfNew(episode) {
      const rows = await execute(
        database,
        sql`with stored as (
          insert into loam.episodes (tenant_id, id, agent_id, user_id, session_id, first_sequence, last_sequence, summary,
            abstract, topics, method, message_count, started_at, ended_at, created_at, expires_at)
          select ${tenantId}::uuid, id, "agentId", "userId", "sessionId", "firstSequence", "lastSequence", summary, abstract, topics,
            method, "messageCount", "startedAt", "endedAt", "createdAt", "expiresAt"
          from jsonb_to_record(${jsonValue(episode)}) as e (id uuid, "agentId" uuid, "userId" text, "sessionId" uuid, "firstSequence" int,
            "lastSequence" int, summary text, abstract text, topics text[], method text, "messageCount" int, "startedAt" timestamptz,
            "endedAt" timestamptz, "createdAt" timestamptz, "expiresAt" timestamptz)
          on conflict (tenant_id, session_id, first_sequence) do nothing returning session_id, last_sequence
        ), covered as (
          update loam.sessions s set covered_sequence = greatest(s.covered_sequence, e.last_sequence)
          from stored e where s.tenant_id = ${tenantId} and s.id = e.session_id
        )
        select 1 from stored`,
      )
      return rows.length > 0
    },
    async rewrite(id, { summary, abstract, topics, method }) {
      if (!isUuid(id)) return undefined
      await database
        .update(episodes)
        .set({ summary, abstract, topics: [...topics], method })
        .where(and(ofTenant, eq(episodes.id, id)))
      const [row] = await select().where(and(ofTenant, eq(episodes.id, id)))
      return row && toEpisode(row)
    },
    async overlap(sessionId, { firstSequence, lastSequence }) {
      if (!isUuid(sessionId)) return false
      const rows = await execute(
        database,
        sql`select from loam.episodes where tenant_id = ${tenantId} and session_id = ${sessionId}
        and first_sequence <= ${lastSequence}::int and last_sequence >= ${firstSequence}::int limit 1`,
      )
      return rows.length > 0
    },
    async find(id, now) {
      if (!isUuid(id)) return undefined
      const [row] = await select().where(and(ofTenant, eq(episodes.id, id), unexpired(now)))
      return row && toEpisode(row)
    },
    async list(agentId, { limit, cursor, now, sessionId }) {
      checkLimit(limit, MOST_ITEMS)
      const place = readCursor(cursor, asMomentCursor)
      if (!isUuid(agentId) || (sessionId !== undefined && !isUuid(sessionId))) return { items: [] }
      const newestOf = (owner?: string) =>
        select()
          .where(
            and(
              ofTenant,
              eq(episodes.agentId, agentId),
              sessionId === undefined ? undefined : eq(episodes.sessionId, sessionId),
              owner === undefined ? undefined : eq(episodes.userId, owner),
              before(episodes.createdAt, episodes.id, place),
              unexpired(now),
            ),
          )
          .orderBy(desc(episodes.createdAt), desc(episodes.id))
          .limit(limit + 1)
      const [shared, own] = sessionId === undefined ? (visibleOwners(access) ?? []) : []
      const rows =
        shared !== undefined && own !== undefined
          ? await unionAll(newestOf(shared), newestOf(own))
              .orderBy(desc(episodes.createdAt), desc(episodes.id))
              .limit(limit + 1)
          : await newestOf(shared)
      return toPage(rows.map(toEpisode), limit, (item) => [item.createdAt.toISOString(), item.id])
    },
    async deleteExpired(now, limit) {
      const rows = await execute(
        database,
        sql`delete from loam.episodes where tenant_id = ${tenantId} and id in (
          select id from loam.episodes where tenant_id = ${tenantId} and expires_at <= ${momentValue(now)}
          order by expires_at limit ${limit}::int)
        returning id`,
      )
      return rows.length
    },
  }
}

function unexpired(now: Date) {
  return or(isNull(episodes.expiresAt), gt(episodes.expiresAt, now))
}

function toEpisode(row: typeof episodes.$inferSelect & { readonly sessionKey: string }): Episode {
  const { tenantId: _tenantId, expiresAt, ...episode } = row
  return { ...episode, expiresAt: expiresAt ?? undefined }
}
