import { InvalidInputError, NotFoundError } from '@loam/core'
import {
  parseUserDataId,
  type ForgottenUserData,
  type UserDataName,
  type WithdrawnStretch,
} from '@loam/storage'
import { sql, type SQL } from 'drizzle-orm'
import { execute, executeOne, type Database } from '../database.js'
import { jsonValue, textArray, uuidArray } from '../sql-values.js'

/** Where is forgotten: `of` holds for the rows of one user of one agent. */
interface Place {
  readonly database: Database
  readonly tenantId: string
  readonly of: SQL
}

interface MessageName {
  readonly sessionId: string
  readonly sequence: number
}

/** What is to be forgotten, by kind. */
interface Wanted {
  readonly messages: readonly MessageName[]
  readonly documents: readonly string[]
  readonly episodes: readonly string[]
  readonly files: readonly string[]
}

/** See `UserDataStore.forget`. */
export async function forgetItems(
  place: Place,
  ids: readonly string[],
): Promise<ForgottenUserData> {
  const { database, tenantId, of } = place
  const wanted = sorted([...new Set(ids)].map(named))
  await holdSessions(place, wanted)
  const messages = await blankMessages(place, wanted.messages)
  const withdrawn = await coveringEpisodes(place, wanted.messages)
  const episodes = [...new Set([...wanted.episodes, ...withdrawn.map(({ id }) => id)])]
  const gone = sql`select c.id, c.text from loam.chunks c where c.tenant_id = ${tenantId} and c.group_id = any (${uuidArray([...wanted.documents, ...episodes])})
    union all
    select c.id, c.text from loam.chunks c join ${messageRows(wanted.messages)} on w."sessionId" = c.session_id and w.sequence = c.sequence
    where c.tenant_id = ${tenantId}`
  await blankCopies(place, gone)
  const derived = await executeOne<{ readonly chunks: number; readonly vectors: number }>(
    database,
    sql`with gone as (${gone})
    select (select count(*)::int from gone) as chunks, (select count(*)::int from loam.chunk_vectors v
      where v.tenant_id = ${tenantId} and v.chunk_id in (select id from gone)) as vectors`,
  )
  await execute(
    database,
    sql`delete from loam.chunks c using ${messageRows(wanted.messages)}
      where c.tenant_id = ${tenantId} and c.session_id = w."sessionId" and c.sequence = w.sequence`,
  )
  // Chunks, vectors and postings go with their document or episode, earlier versions with their file.
  const rows = {
    episodes: await deleteRows('episodes', sql`id = any (${uuidArray(episodes)})`),
    documents: await deleteRows('documents', sql`id = any (${uuidArray(wanted.documents)})`),
    contextFiles: await deleteRows('context_files', sql`name = any (${textArray(wanted.files)})`),
  }
  const isMissing =
    messages < wanted.messages.length ||
    rows.episodes < episodes.length ||
    rows.documents < wanted.documents.length ||
    rows.contextFiles < wanted.files.length
  if (isMissing) {
    throw new NotFoundError({
      message:
        'Some of these items are not held about the user. Nothing was forgotten; list them anew.',
    })
  }
  return {
    messages,
    ...rows,
    ...derived,
    withdrawn: withdrawn.map(({ id: _id, ...stretch }) => stretch),
  }

  async function deleteRows(table: string, which: SQL): Promise<number> {
    const deleted = await execute(
      database,
      sql`delete from loam.${sql.raw(table)} where ${of} and ${which} returning 1`,
    )
    return deleted.length
  }
}

function named(id: string): UserDataName {
  const name = parseUserDataId(id)
  if (name) return name
  throw new InvalidInputError({
    message: `${JSON.stringify(id)} is no id of an item. They look like document:… or message:…:3, as the list shows them.`,
    issues: [{ path: 'ids', message: 'is no id of an item' }],
  })
}

function sorted(names: readonly UserDataName[]): Wanted {
  const rowsOf = (wanted: 'document' | 'episode') =>
    names.flatMap((name) => (name.kind === wanted ? [name.id] : []))
  return {
    messages: names.flatMap((name) => (name.kind === 'message' ? [name] : [])),
    documents: rowsOf('document'),
    episodes: rowsOf('episode'),
    files: names.flatMap((name) => (name.kind === 'file' ? [name.name] : [])),
  }
}

function messageRows(messages: readonly MessageName[]): SQL {
  return sql`jsonb_to_recordset(${jsonValue(messages)}) as w ("sessionId" uuid, sequence int)`
}

/** Writers of these sessions come to their end first, and a summary that is being made learns that its messages changed. */
async function holdSessions({ database, tenantId, of }: Place, wanted: Wanted): Promise<void> {
  const sessionIds = uuidArray(wanted.messages.map(({ sessionId }) => sessionId))
  await execute(
    database,
    sql`with held as (
      select id from loam.sessions where ${of} and id = any (${sessionIds}) order by id for no key update
    )
    update loam.sessions s set forgotten_count = s.forgotten_count + 1 from held
    where s.tenant_id = ${tenantId} and s.id = held.id`,
  )
}

/** Takes everything from the messages save their places and ids, and from the runs behind them what a client had made of them. */
async function blankMessages(
  { database, tenantId, of }: Place,
  messages: readonly MessageName[],
): Promise<number> {
  if (messages.length === 0) return 0
  const owned = sql`select id from loam.sessions where ${of}`
  const blanked = await execute(
    database,
    sql`update loam.messages m set content = null, name = null, sender_id = null, tool_calls = null, tool_call_id = null,
        metadata = null, digest = '', forgotten_at = clock_timestamp()
      from ${messageRows(messages)}
      where m.tenant_id = ${tenantId} and m.session_id = w."sessionId" and m.sequence = w.sequence and m.forgotten_at is null
        and m.session_id in (${owned})
      returning m.sequence`,
  )
  await execute(
    database,
    sql`update loam.runs r set compaction_summary = null from ${messageRows(messages)}
      where r.tenant_id = ${tenantId} and r.session_id = w."sessionId" and r.last_sequence >= w.sequence
        and r.compaction_summary is not null and r.session_id in (${owned})`,
  )
  return blanked.length
}

/** Of a chunk; a search tells no more than the beginning of a long one. */
const COMPARED_LENGTH = 700
/** What is shorter may well stand in something else, so it counts only where it is all that was found. */
const TELLING_LENGTH = 20

/**
 * Takes away what tools told an agent of these chunks: a search stores word for word what it found. White space is no
 * difference, since tools indent what they tell. What is found stands between the end of its headline, "(1.00)", and the next
 * one, "[2]"; see `memory_search`.
 */
async function blankCopies({ database, tenantId, of }: Place, gone: SQL): Promise<void> {
  await execute(
    database,
    sql`with told as materialized (
      select distinct text from (select ${inOneLine(sql`left(gone.text, ${COMPARED_LENGTH}::int)`)} as text from (${gone}) gone) texts where text <> ''
    ), copies as materialized (
      select m.session_id, m.sequence from (select id from loam.sessions where ${of}) s
      join loam.messages m on m.tenant_id = ${tenantId} and m.session_id = s.id
      where m.role = 'tool' and m.origin = 'injected' and m.forgotten_at is null
        and exists (select from told, ${inOneLine(sql`m.content #>> '{}'`)} as shown where position(told.text in shown) > 0
          and (length(told.text) >= ${TELLING_LENGTH}::int or position(') ' || told.text || ' [' in shown || ' [') > 0))
    )
    update loam.messages m set content = null, name = null, sender_id = null, tool_calls = null, tool_call_id = null,
      metadata = null, digest = '', forgotten_at = clock_timestamp()
    from copies c where m.tenant_id = ${tenantId} and m.session_id = c.session_id and m.sequence = c.sequence`,
  )
}

function inOneLine(text: SQL): SQL {
  return sql`btrim(regexp_replace(${text}, '[\\s\\u0085\\u2028\\u2029]+', ' ', 'g'))`
}

async function coveringEpisodes(
  { database, of }: Place,
  messages: readonly MessageName[],
): Promise<readonly (WithdrawnStretch & { readonly id: string })[]> {
  if (messages.length === 0) return []
  return await execute(
    database,
    sql`select e.id, e.session_id as "sessionId", e.first_sequence as "firstSequence", e.last_sequence as "lastSequence"
      from loam.episodes e where ${of} and exists (
        select from ${messageRows(messages)}
        where w."sessionId" = e.session_id and w.sequence between e.first_sequence and e.last_sequence)
      order by e.session_id, e.first_sequence`,
  )
}
