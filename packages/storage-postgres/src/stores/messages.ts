import { ConflictError, InvalidInputError, NotFoundError } from '@loam/core'
import type { AppendedMessage, Message, MessageStore, NewMessage } from '@loam/storage'
import { and, asc, desc, eq, gt, isNull, lt, sql, type SQL } from 'drizzle-orm'
import { execute } from '../database.js'
import { checkLimit, readCursor, toPage } from '../paging.js'
import { messages } from '../schema/messages.js'
import { sessions } from '../schema/sessions.js'
import { isUuid, jsonValue, textArray } from '../sql-values.js'
import { wholeRows } from '../whole-rows.js'
import { messageDigest } from './message-digest.js'
import { MOST_MESSAGES } from './page-sizes.js'
import type { StoreContext } from './store-context.js'

type Digested = NewMessage & { readonly digest: string }

const selectMessages = wholeRows(messages)

export function createMessageStore({ database, access }: StoreContext): MessageStore {
  const { tenantId } = access
  const ofSession = (sessionId: string) =>
    and(eq(messages.tenantId, tenantId), eq(messages.sessionId, sessionId))

  return {
    async append(sessionId, batch) {
      const digested = batch.map((message) => ({ ...message, digest: messageDigest(message) }))
      // One journey: the second statement begins when the first has the lock, so it sees what was stored before that.
      const [session, stored] = await Promise.all([
        lockSession(sessionId),
        findStored(sessionId, digested),
      ])
      const { fresh, appended } = allot(digested, stored, session.lastSequence)
      if (fresh.length > 0) await insert(sessionId, session.userId, fresh)
      return appended
    },
    async storedIds(sessionId, ids) {
      if (!isUuid(sessionId) || ids.length === 0) return new Set()
      const rows = await execute<{ readonly id: string }>(
        database,
        sql`select wanted.id from unnest(${textArray(ids)}) as wanted (id)
        cross join lateral (${messageNamed(sessionId)}) m`,
      )
      return new Set(rows.map(({ id }) => id))
    },
    async find(sessionId, id) {
      if (!isUuid(sessionId)) return undefined
      const [row] = await selectMessages(
        database,
        sql`where tenant_id = ${tenantId} and session_id = ${sessionId} and id = ${id} and forgotten_at is null`,
      )
      return row && toMessage(row)
    },
    async list(sessionId, { limit, cursor, newestFirst = false }) {
      checkLimit(limit, MOST_MESSAGES)
      const place = readCursor(cursor, asSequence)
      if (!isUuid(sessionId)) return { items: [] }
      const beyond = newestFirst ? lt : gt
      const rows = await database
        .select()
        .from(messages)
        .where(
          and(
            ofSession(sessionId),
            isNull(messages.forgottenAt),
            place && beyond(messages.sequence, place[0]),
          ),
        )
        .orderBy(newestFirst ? desc(messages.sequence) : asc(messages.sequence))
        .limit(limit + 1)
      return toPage(rows.map(toMessage), limit, ({ sequence }) => [sequence])
    },
    async range(sessionId, first, last) {
      if (!isUuid(sessionId)) return []
      const rows = await selectMessages(
        database,
        sql`where tenant_id = ${tenantId} and session_id = ${sessionId}
        and sequence between ${first}::int and ${last}::int and forgotten_at is null order by sequence`,
      )
      return rows.map(toMessage)
    },
  }

  /** The message with the id `wanted.id`. The limit keeps it from being made a join that compares each id with every message. */
  function messageNamed(sessionId: string): SQL {
    return sql`select m.sequence, m.digest from loam.messages m
      where m.tenant_id = ${tenantId} and m.session_id = ${sessionId} and m.id = wanted.id limit 1`
  }

  async function lockSession(sessionId: string) {
    const named = and(eq(sessions.tenantId, tenantId), eq(sessions.id, sessionId))
    const [session] = isUuid(sessionId)
      ? await database
          .select({ userId: sessions.userId, lastSequence: sessions.lastSequence })
          .from(sessions)
          .where(named)
          .for('no key update')
      : []
    if (session) return session
    throw new NotFoundError({ message: 'There is no such session of this user.' })
  }

  async function findStored(sessionId: string, batch: readonly Digested[]) {
    if (batch.length === 0 || !isUuid(sessionId)) return new Map<string, StoredMessage>()
    const rows = await execute<StoredMessage & { readonly id: string }>(
      database,
      sql`select wanted.id, m.sequence, m.digest from unnest(${textArray(batch.map(({ id }) => id))}) as wanted (id)
      cross join lateral (${messageNamed(sessionId)}) m`,
    )
    return new Map(rows.map((row): [string, StoredMessage] => [row.id, row]))
  }

  async function insert(
    sessionId: string,
    userId: string,
    fresh: readonly (Digested & { readonly sequence: number })[],
  ): Promise<void> {
    const rows = fresh.map((message) => ({
      sequence: message.sequence,
      id: message.id,
      role: message.role,
      content: message.content,
      name: message.name,
      sender_id: message.senderId,
      tool_calls: message.toolCalls,
      tool_call_id: message.toolCallId,
      origin: message.origin,
      metadata: message.metadata,
      digest: message.digest,
      created_at: message.createdAt,
    }))
    // An absent content is stored as null, and not as the JSON value null.
    await execute(
      database,
      sql`with stored as (
        insert into loam.messages (tenant_id, session_id, user_id, sequence, id, role, content, name, sender_id,
          tool_calls, tool_call_id, origin, metadata, digest, created_at)
        select ${tenantId}::uuid, ${sessionId}::uuid, ${userId}::text, sequence, id, role, nullif(content, 'null'::jsonb),
          name, sender_id, tool_calls, tool_call_id, origin, metadata, digest, created_at
        from jsonb_to_recordset(${jsonValue(rows)}) as m (sequence int, id text, role text, content jsonb, name text,
          sender_id text, tool_calls jsonb, tool_call_id text, origin text, metadata jsonb, digest text, created_at timestamptz)
        order by sequence
      )
      update loam.sessions set last_sequence = ${fresh.at(-1)?.sequence ?? 0}::int, updated_at = clock_timestamp()
      where tenant_id = ${tenantId} and id = ${sessionId}`,
    )
  }
}

interface StoredMessage {
  readonly sequence: number
  readonly digest: string
}

/** Gives each message that is not stored yet the next sequence. */
function allot(
  batch: readonly Digested[],
  stored: Map<string, StoredMessage>,
  lastSequence: number,
) {
  const fresh: (Digested & { readonly sequence: number })[] = []
  const appended: AppendedMessage[] = []
  for (const message of batch) {
    const { id, digest } = message
    if (id === '') throw new InvalidInputError({ message: 'A message has an empty id.' })
    const known = stored.get(id)
    // What was forgotten bears no digest: whatever comes under its id is not stored again.
    if (known && known.digest !== '' && known.digest !== digest) {
      throw new ConflictError({
        message: `The session has another message with the id ${JSON.stringify(id)}. Give the new message an id of its own.`,
        details: { id },
      })
    }
    const sequence = known?.sequence ?? lastSequence + fresh.length + 1
    if (!known) {
      fresh.push({ ...message, sequence })
      stored.set(id, { sequence, digest })
    }
    appended.push({ id, sequence, duplicate: known !== undefined })
  }
  return { fresh, appended }
}

function asSequence([sequence]: readonly unknown[]): readonly [number] | undefined {
  return typeof sequence === 'number' && Number.isSafeInteger(sequence) ? [sequence] : undefined
}

function toMessage(row: typeof messages.$inferSelect): Message {
  return {
    sessionId: row.sessionId,
    sequence: row.sequence,
    id: row.id,
    role: row.role,
    content: row.content,
    origin: row.origin,
    createdAt: row.createdAt,
    ...(row.name !== null && { name: row.name }),
    ...(row.senderId !== null && { senderId: row.senderId }),
    ...(row.toolCalls && { toolCalls: row.toolCalls }),
    ...(row.toolCallId !== null && { toolCallId: row.toolCallId }),
    ...(row.metadata && { metadata: row.metadata }),
  }
}
