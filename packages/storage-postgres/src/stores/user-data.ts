import { InvalidInputError, SHARED_USER_ID } from '@loam/core'
import type { UserDataItem, UserDataKind, UserDataStore, UserHoldings } from '@loam/storage'
import { sql, type SQL } from 'drizzle-orm'
import { execute, executeOne } from '../database.js'
import { checkLimit, readCursor, toPage } from '../paging.js'
import { isUuid } from '../sql-values.js'
import { MOST_ITEMS } from './page-sizes.js'
import type { StoreContext } from './store-context.js'

const NOTHING: UserHoldings = {
  contextFiles: 0,
  sessions: 0,
  messages: 0,
  runs: 0,
  documents: 0,
  episodes: 0,
  chunks: 0,
  vectors: 0,
  postings: 0,
  events: 0,
  deliveries: 0,
  acquaintances: 0,
  modelCalls: 0,
}

export function createUserDataStore({ database, access }: StoreContext): UserDataStore {
  const { tenantId } = access
  const owned = (agentId: string, userId: string): SQL =>
    sql`tenant_id = ${tenantId} and agent_id = ${agentId} and user_id = ${userId}`

  async function holdings(agentId: string, userId: string): Promise<UserHoldings> {
    if (!isUuid(agentId)) return NOTHING
    return await executeOne<UserHoldings>(database, countRows(tenantId, owned(agentId, userId)))
  }

  return {
    holdings,
    async list(agentId, userId, { limit, cursor, kinds }) {
      checkLimit(limit, MOST_ITEMS)
      const after = readCursor(cursor, ([at, place]) =>
        typeof at === 'string' && isInstant(at) && typeof place === 'string'
          ? ([at, place] as const)
          : undefined,
      )
      if (!isUuid(agentId)) return { items: [] }
      const chosen = (kind: UserDataKind): boolean => kinds?.includes(kind) ?? true
      const parts = itemQueries(tenantId, owned(agentId, userId))
        .filter(({ kind }) => chosen(kind))
        .map(({ query }) => query)
      if (parts.length === 0) return { items: [] }
      const rows = await execute<ItemRow>(
        database,
        sql`select kind, id, source, content, (extract(epoch from at) * 1000)::float8 as at, place
          from (${sql.join(parts, sql` union all `)}) items
          ${after === undefined ? sql`` : sql`where (at, place) < (${after[0]}::text::timestamptz, ${after[1]}::text collate "C")`}
          order by at desc, place desc limit ${limit + 1}::int`,
      )
      const page = toPage(rows, limit, ({ at, place }) => [
        new Date(Math.round(at)).toISOString(),
        place,
      ])
      return { ...page, items: page.items.map(toItem) }
    },
    async erase(agentId, userId) {
      if (userId === SHARED_USER_ID) {
        throw new InvalidInputError({
          message: 'Name the user. What all users of an agent share goes with the agent.',
          issues: [{ path: 'userId', message: 'is empty' }],
        })
      }
      if (!isUuid(agentId)) return NOTHING
      const of = owned(agentId, userId)
      // Held first: who writes for this user now comes to an end before anything is counted.
      await execute(database, sql`select id from loam.sessions where ${of} order by id for update`)
      const erased = await holdings(agentId, userId)
      for (const table of ERASED_TABLES) {
        await execute(database, sql`delete from loam.${sql.raw(table)} where ${of}`)
      }
      await execute(database, sql`update loam.model_calls set user_id = '' where ${of}`)
      return erased
    },
  }
}

/** What goes with these goes by itself: chunks, vectors and postings with a scope, messages and episodes with a session, deliveries with an event. */
const ERASED_TABLES = ['events', 'scopes', 'sessions', 'documents', 'context_files', 'agent_users']

function isInstant(text: string): boolean {
  const date = new Date(text)
  return !Number.isNaN(date.getTime()) && date.toISOString() === text
}

interface ItemRow {
  readonly kind: UserDataKind
  readonly id: string
  readonly source: string
  readonly content: unknown
  readonly at: number
  readonly place: string
}

function toItem({ kind, id, source, content, at }: ItemRow): UserDataItem {
  return { kind, id, source, content, createdAt: new Date(Math.round(at)) }
}

function itemQueries(
  tenantId: string,
  of: SQL,
): readonly { readonly kind: UserDataKind; readonly query: SQL }[] {
  return [
    {
      kind: 'message',
      query: sql`select 'message' as kind, m.sequence::text as id, s.key as source, m.content, m.created_at as at,
          ('m/' || m.session_id || '/' || lpad(m.sequence::text, 10, '0')) collate "C" as place
        from (select id, key from loam.sessions where ${of}) s
        join loam.messages m on m.tenant_id = ${tenantId} and m.session_id = s.id`,
    },
    {
      kind: 'document',
      query: sql`select 'document' as kind, id::text, path as source, to_jsonb(content) as content, updated_at as at,
        ('d/' || id) collate "C" as place from loam.documents where ${of}`,
    },
    {
      kind: 'episode',
      query: sql`select 'episode' as kind, e.id::text, s.key as source, to_jsonb(e.summary) as content, e.created_at as at,
          ('e/' || e.id) collate "C" as place
        from (select * from loam.episodes where ${of}) e
        join loam.sessions s on s.tenant_id = ${tenantId} and s.id = e.session_id`,
    },
    {
      kind: 'file',
      query: sql`select 'file' as kind, name as id, name as source, to_jsonb(content) as content, updated_at as at,
        ('f/' || name) collate "C" as place from loam.context_files where ${of}`,
    },
  ]
}

function countRows(tenantId: string, of: SQL): SQL {
  const inSessions = sql`tenant_id = ${tenantId} and session_id in (select id from loam.sessions where ${of})`
  const inScopes = sql`tenant_id = ${tenantId} and scope_id in (select scope_id from loam.scopes where ${of})`
  return sql`select
    ${count('context_files', of)} as "contextFiles",
    ${count('sessions', of)} as sessions,
    ${count('messages', inSessions)} as messages,
    ${count('runs', inSessions)} as runs,
    ${count('documents', of)} as documents,
    ${count('episodes', of)} as episodes,
    ${count('chunks', inScopes)} as chunks,
    ${count('chunk_vectors', inScopes)} as vectors,
    ${count('postings', inScopes)} as postings,
    ${count('events', of)} as events,
    ${count('deliveries', sql`tenant_id = ${tenantId} and event_id in (select id from loam.events where ${of})`)} as deliveries,
    ${count('agent_users', of)} as acquaintances,
    ${count('model_calls', of)} as "modelCalls"`
}

function count(table: string, where: SQL): SQL {
  return sql`(select count(*)::int from loam.${sql.raw(table)} where ${where})`
}
