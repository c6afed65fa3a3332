import { InvalidInputError, SHARED_USER_ID } from '@loam/core'
import {
  USER_DATA_KINDS,
  parseUserDataId,
  type ToolCall,
  type UserDataItem,
  type UserDataKind,
  type UserDataStore,
  type UserHoldings,
} from '@loam/storage'
import { sql, type SQL } from 'drizzle-orm'
import { execute, executeOne } from '../database.js'
import { checkLimit, readCursor, toPage } from '../paging.js'
import { isUuid, momentValue } from '../sql-values.js'
import { forgetItems } from './forget-items.js'
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

export function createUserDataStore({ database, access, onErased }: StoreContext): UserDataStore {
  const { tenantId } = access
  const owned = (agentId: string, userId: string): SQL =>
    sql`tenant_id = ${tenantId} and agent_id = ${agentId} and user_id = ${userId}`

  async function holdings(agentId: string, userId: string): Promise<UserHoldings> {
    if (!isUuid(agentId)) return NOTHING
    return await executeOne<UserHoldings>(database, countRows(tenantId, owned(agentId, userId)))
  }

  return {
    holdings,
    async list(agentId, userId, { limit, cursor, kinds, containing }) {
      checkLimit(limit, MOST_ITEMS)
      const after = readCursor(cursor, ([at, place]) =>
        typeof at === 'string' && isInstant(at) && typeof place === 'string'
          ? ([at, place] as const)
          : undefined,
      )
      if (!isUuid(agentId)) return { items: [] }
      const parts = USER_DATA_KINDS.filter((kind) => kinds?.includes(kind) ?? true).map((kind) =>
        itemQuery(kind, tenantId, owned(agentId, userId)),
      )
      if (parts.length === 0) return { items: [] }
      const rows = await execute<ItemRow>(
        database,
        sql`select kind, id, source, content, "toolCalls", (extract(epoch from at) * 1000)::float8 as at, place
          from (${sql.join(parts, sql` union all `)}) items
          where ${after === undefined ? sql`true` : sql`(at, place) < (${after[0]}::text::timestamptz, ${after[1]}::text collate "C")`}
          and ${containing === undefined ? sql`true` : hasText(containing)}
          order by at desc, place desc limit ${limit + 1}::int`,
      )
      const page = toPage(rows, limit, ({ at, place }) => [
        new Date(Math.round(at)).toISOString(),
        place,
      ])
      return { ...page, items: page.items.map(toItem) }
    },
    async find(agentId, userId, id) {
      const name = parseUserDataId(id)
      if (!isUuid(agentId) || name === undefined) return undefined
      const [row] = await execute<ItemRow>(
        database,
        sql`select kind, id, source, content, "toolCalls", (extract(epoch from at) * 1000)::float8 as at, place
          from (${itemQuery(name.kind, tenantId, owned(agentId, userId))}) items where id = ${id}`,
      )
      return row && toItem(row)
    },
    forget: (agentId, userId, ids) =>
      forgetItems({ database, tenantId, of: owned(agentId, userId) }, isUuid(agentId) ? ids : []),
    async erase(agentId, userId) {
      if (userId === SHARED_USER_ID) {
        throw new InvalidInputError({
          message: 'Name the user. What all users of an agent share goes with the agent.',
          issues: [{ path: 'userId', message: 'is empty' }],
        })
      }
      const mayErase = access.everyUser === true || access.userId === userId
      if (!isUuid(agentId) || !mayErase) return NOTHING
      const of = owned(agentId, userId)
      // Held first: who writes for this user now comes to an end before anything is counted.
      await execute(
        database,
        sql`select pg_advisory_xact_lock(loam.erasure_key(${agentId}::uuid, ${userId}::text))::text`,
      )
      await execute(database, sql`select id from loam.sessions where ${of} order by id for update`)
      const erased = await holdings(agentId, userId)
      for (const table of ERASED_TABLES) {
        await execute(database, sql`delete from loam.${sql.raw(table)} where ${of}`)
      }
      await execute(
        database,
        sql`update loam.model_calls set user_id = '', run_id = null where ${of}`,
      )
      const { number } = await executeOne<{ readonly number: number }>(
        database,
        sql`select loam.record_erasure(${agentId}::uuid, ${userId}::text) as number`,
      )
      onErased(number)
      return erased
    },
    async forgetErasures(before) {
      const rows = await execute(
        database,
        sql`delete from loam.erasures where tenant_id = ${tenantId} and erased_at < ${momentValue(before)} returning 1`,
      )
      return rows.length
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
  readonly toolCalls: readonly ToolCall[] | null
  readonly at: number
  readonly place: string
}

function toItem({ kind, id, source, content, toolCalls, at }: ItemRow): UserDataItem {
  return {
    kind,
    id,
    source,
    content,
    toolCalls: toolCalls ?? [],
    createdAt: new Date(Math.round(at)),
  }
}

/** Each text that an item consists of is looked at by itself, since its JSON has characters escaped. */
function hasText(text: string): SQL {
  return sql`exists (
    select from jsonb_path_query(jsonb_build_array(content, "toolCalls"), '$.** ? (@.type() == "string")') as part
    where position(lower(${text}::text) in lower(part #>> '{}')) > 0)`
}

/** The rows of one kind, as items. */
function itemQuery(kind: UserDataKind, tenantId: string, of: SQL): SQL {
  return ITEM_QUERIES[kind](tenantId, of)
}

const ITEM_QUERIES: Readonly<Record<UserDataKind, (tenantId: string, of: SQL) => SQL>> = {
  message: (tenantId, of) =>
    sql`select 'message' as kind, 'message:' || m.session_id || ':' || m.sequence as id, s.key as source, m.content,
      m.tool_calls as "toolCalls", m.created_at as at,
      ('m/' || m.session_id || '/' || lpad(m.sequence::text, 10, '0')) collate "C" as place
    from (select id, key from loam.sessions where ${of}) s
    join loam.messages m on m.tenant_id = ${tenantId} and m.session_id = s.id and m.forgotten_at is null`,
  document: (_tenantId, of) =>
    sql`select 'document' as kind, 'document:' || id as id, path as source, to_jsonb(content) as content,
      null::jsonb as "toolCalls", updated_at as at, ('d/' || id) collate "C" as place from loam.documents where ${of}`,
  episode: (tenantId, of) =>
    sql`select 'episode' as kind, 'episode:' || e.id as id, s.key as source, to_jsonb(e.summary) as content,
      null::jsonb as "toolCalls", e.created_at as at, ('e/' || e.id) collate "C" as place
    from (select * from loam.episodes where ${of}) e
    join loam.sessions s on s.tenant_id = ${tenantId} and s.id = e.session_id`,
  file: (_tenantId, of) =>
    sql`select 'file' as kind, 'file:' || name as id, name as source, to_jsonb(content) as content,
      null::jsonb as "toolCalls", updated_at as at, ('f/' || name) collate "C" as place from loam.context_files where ${of}`,
}

function countRows(tenantId: string, of: SQL): SQL {
  const inSessions = sql`tenant_id = ${tenantId} and session_id in (select id from loam.sessions where ${of})`
  const inScopes = sql`tenant_id = ${tenantId} and scope_id in (select scope_id from loam.scopes where ${of})`
  return sql`select
    ${count('context_files', of)} as "contextFiles",
    ${count('sessions', of)} as sessions,
    ${count('messages', sql`${inSessions} and forgotten_at is null`)} as messages,
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
