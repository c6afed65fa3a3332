import { ForbiddenError, NotFoundError } from '@loam/core'
import { isReservedForOther, type Session, type SessionStore } from '@loam/storage'
import { and, desc, eq, sql, type SQL } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { execute, executeOne } from '../database.js'
import { asMomentCursor, before, checkLimit, readCursor, toPage, visibleOwners } from '../paging.js'
import { sessions } from '../schema/sessions.js'
import { STATEMENT_BEGAN, isUuid } from '../sql-values.js'
import { wholeRows } from '../whole-rows.js'
import { MOST_ITEMS } from './page-sizes.js'
import { toReceipt, type CountRow } from './receipts.js'
import type { StoreContext } from './store-context.js'

const selectSessions = wholeRows(sessions)

export function createSessionStore({ database, access }: StoreContext): SessionStore {
  const { tenantId } = access
  const ofTenant = eq(sessions.tenantId, tenantId)
  const named = (id: string) => and(ofTenant, eq(sessions.id, id))

  const findOne = async (which: SQL): Promise<Session | undefined> => {
    const [row] = await selectSessions(database, sql`where tenant_id = ${tenantId} and ${which}`)
    return row && toSession(row)
  }
  const findByKey = async (agentId: string, key: string): Promise<Session | undefined> =>
    isUuid(agentId) ? await findOne(sql`agent_id = ${agentId} and key = ${key}`) : undefined

  return {
    findByKey,
    async ensure(session) {
      const present = await findByKey(session.agentId, session.key)
      // One that was made before its key was reserved stays its owner's.
      if (present?.userId !== session.userId && isReservedForOther(session.key, session.userId)) {
        throw reserved(session.key)
      }
      if (present) return { session: owned(present, session.userId), created: false }
      const [row] = await database
        .insert(sessions)
        .values({
          tenantId,
          id: session.id,
          agentId: session.agentId,
          userId: session.userId,
          key: session.key,
          kind: session.kind,
          channel: session.channel ?? null,
          timezone: session.timezone ?? null,
          contextWindow: session.contextWindow ?? null,
          title: session.title ?? null,
          metadata: session.metadata ?? {},
          createdAt: STATEMENT_BEGAN,
          updatedAt: STATEMENT_BEGAN,
        })
        .onConflictDoNothing({ target: [sessions.tenantId, sessions.agentId, sessions.key] })
        .returning()
      if (row) return { session: toSession(row), created: true }
      // Another transaction made it meanwhile, or it is another user's and not to be seen.
      const made = await findByKey(session.agentId, session.key)
      return { session: owned(made, session.userId), created: false }
    },
    findById: async (id) => (isUuid(id) ? await findOne(sql`id = ${id}`) : undefined),
    lock: async (id) => (isUuid(id) ? await findOne(sql`id = ${id} for no key update`) : undefined),
    lockByKey: async (agentId, key) =>
      isUuid(agentId)
        ? await findOne(sql`agent_id = ${agentId} and key = ${key} for no key update`)
        : undefined,
    async list(agentId, { limit, cursor }) {
      checkLimit(limit, MOST_ITEMS)
      const place = readCursor(cursor, asMomentCursor)
      if (!isUuid(agentId)) return { items: [] }
      const newestOf = (owner?: string) =>
        database
          .select()
          .from(sessions)
          .where(
            and(
              ofTenant,
              eq(sessions.agentId, agentId),
              owner === undefined ? undefined : eq(sessions.userId, owner),
              before(sessions.createdAt, sessions.id, place),
            ),
          )
          .orderBy(desc(sessions.createdAt), desc(sessions.id))
          .limit(limit + 1)
      const [shared, own] = visibleOwners(access) ?? []
      const rows =
        shared !== undefined && own !== undefined
          ? await unionAll(newestOf(shared), newestOf(own))
              .orderBy(desc(sessions.createdAt), desc(sessions.id))
              .limit(limit + 1)
          : await newestOf(shared)
      return toPage(rows.map(toSession), limit, (item) => [item.createdAt.toISOString(), item.id])
    },
    async update(id, { channel, timezone, contextWindow, title, metadata }) {
      if (!isUuid(id)) return undefined
      const [row] = await database
        .update(sessions)
        .set({
          ...(channel !== undefined && { channel }),
          ...(timezone !== undefined && { timezone }),
          ...(contextWindow !== undefined && { contextWindow }),
          ...(title !== undefined && { title }),
          ...(metadata !== undefined && { metadata }),
          updatedAt: sql`clock_timestamp()`,
        })
        .where(named(id))
        .returning()
      return row && toSession(row)
    },
    async delete(id) {
      if (!isUuid(id)) return undefined
      const [locked] = await database
        .select({ id: sessions.id })
        .from(sessions)
        .where(named(id))
        .for('update')
      if (!locked) return undefined
      const counts = await executeOne<CountRow>(database, countRows(tenantId, id))
      // Its events, and so its deliveries, are not tied to it by a foreign key.
      await execute(
        database,
        sql`delete from loam.events where tenant_id = ${tenantId} and session_id = ${id}`,
      )
      await database.delete(sessions).where(named(id))
      return toReceipt({ ...counts, sessions: 1 })
    },
  }
}

/** A key that belongs to another user is as unknown as one that does not exist. */
function owned(session: Session | undefined, userId: string): Session {
  if (session?.userId === userId) return session
  throw new NotFoundError({
    message:
      'There is no such session of this user. A session key belongs to the user who made it.',
  })
}

function reserved(key: string): ForbiddenError {
  return new ForbiddenError({
    message: `A session key that begins with "chat/" is reserved for the user whose id follows, and ${JSON.stringify(key)} is another user's. Give the session another key.`,
    details: { key },
  })
}

function countRows(tenantId: string, sessionId: string) {
  const ofSession = sql`tenant_id = ${tenantId} and session_id = ${sessionId}`
  const groups = sql`c.tenant_id = ${tenantId} and c.group_id in (
    select ${sessionId}::uuid union all select id from loam.episodes where ${ofSession})`
  return sql`select
    (select count(*)::int from loam.messages where ${ofSession}) as messages,
    (select count(*)::int from loam.runs where ${ofSession}) as runs,
    (select count(*)::int from loam.episodes where ${ofSession}) as episodes,
    (select count(*)::int from loam.chunks c where ${groups}) as chunks,
    (select count(*)::int from loam.chunks c join loam.chunk_vectors v on v.tenant_id = c.tenant_id and v.chunk_id = c.id
      where ${groups}) as vectors`
}

function toSession(row: typeof sessions.$inferSelect): Session {
  return {
    id: row.id,
    agentId: row.agentId,
    key: row.key,
    userId: row.userId,
    kind: row.kind,
    channel: row.channel ?? undefined,
    timezone: row.timezone ?? undefined,
    contextWindow: row.contextWindow ?? undefined,
    title: row.title ?? undefined,
    metadata: row.metadata,
    lastSequence: row.lastSequence,
    coveredSequence: row.coveredSequence,
    forgottenCount: row.forgottenCount,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }
}
