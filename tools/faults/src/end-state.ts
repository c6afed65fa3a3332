import type { ApiClient } from './api-client.js'
import { messageId, summaryOf } from './conversation.js'
import { AGENT, type Talk } from './talk.js'
import type { World } from './world.js'

/** Sessions that are read over HTTP too; all are read by SQL. */
const READ_OVER_HTTP = 20

interface Episode {
  readonly session: string
  readonly firstSequence: number
  readonly lastSequence: number
  readonly summary: string
  readonly method: string
}

/**
 * Checks that everything that was acknowledged is there, once and in order, that each session is covered by exactly one
 * episode per stretch, and that nothing is half-written or left over.
 *
 * @throws Error that lists every fault, and how the world stands.
 */
export async function assertNothingLost(world: World, talks: readonly Talk[]): Promise<void> {
  const faults = [
    ...(await messageFaults(world, talks)),
    ...(await episodeFaults(world, talks)),
    ...(await runFaults(world, talks)),
    ...(await halfWritten(world)),
    ...(await apiFaults(world.client, talks)),
  ]
  if (faults.length === 0) return
  const shown = faults.slice(0, 20).map((fault) => `- ${fault}`)
  throw new Error(`${faults.length} faults:\n${shown.join('\n')}\n${await world.describe()}`)
}

async function messageFaults({ sql }: World, talks: readonly Talk[]): Promise<string[]> {
  const rows = await sql<{ session: string; last: number; ids: string[]; places: number[] }[]>`
    select s.key as session, s.last_sequence as last, array_agg(m.id order by m.sequence) as ids,
      array_agg(m.sequence order by m.sequence) as places
    from loam.sessions s join loam.messages m on m.tenant_id = s.tenant_id and m.session_id = s.id
    group by s.key, s.last_sequence`
  const found = new Map(rows.map((row) => [row.session, row]))
  return talks.flatMap((talk) => {
    const ids = idsOf(talk)
    const row = found.get(talk.session)
    if (ids.length === 0 && !row) return []
    const places = ids.map((_, index) => index + 1)
    const isRight =
      row?.last === ids.length &&
      String(row.ids) === String(ids) &&
      String(row.places) === String(places)
    return isRight
      ? []
      : [
          `${talk.session} should have ${ids.length} messages, and has ${row?.ids.length ?? 0} up to place ${row?.last ?? 0}: ${String(row?.ids)}`,
        ]
  })
}

function idsOf({ session, rounds }: Talk): string[] {
  return Array.from({ length: rounds * 4 }, (_, index) => messageId(session, index + 1))
}

async function episodeFaults({ sql }: World, talks: readonly Talk[]): Promise<string[]> {
  const rows = await sql<Episode[]>`
    select s.key as session, e.first_sequence as "firstSequence", e.last_sequence as "lastSequence", e.summary, e.method
    from loam.episodes e join loam.sessions s on s.tenant_id = e.tenant_id and s.id = e.session_id
    order by s.key, e.first_sequence`
  const bySession = new Map<string, Episode[]>()
  for (const row of rows) bySession.set(row.session, [...(bySession.get(row.session) ?? []), row])
  return talks.flatMap((talk) => coverageFaults(talk, bySession.get(talk.session) ?? []))
}

/** Consecutive stretches from the first message to the last that a run told of, each with a summary of exactly that. */
function coverageFaults({ session, runs }: Talk, episodes: readonly Episode[]): string[] {
  const faults: string[] = []
  let covered = 0
  for (const { firstSequence, lastSequence, summary, method } of episodes) {
    const stretch = `the episode of ${session} from ${firstSequence} to ${lastSequence}`
    if (firstSequence !== covered + 1) faults.push(`${stretch} follows one that ends at ${covered}`)
    if (lastSequence < firstSequence) faults.push(`${stretch} is empty`)
    if (summary !== summaryOf(session, firstSequence, lastSequence)) {
      faults.push(`${stretch} says: ${summary}`)
    }
    if (method !== 'model') faults.push(`${stretch} was made by ${method}`)
    covered = lastSequence
  }
  const wanted = runs.at(-1)?.lastSequence ?? 0
  if (covered !== wanted) faults.push(`${session} is covered up to ${covered} instead of ${wanted}`)
  return faults
}

async function runFaults({ sql }: World, talks: readonly Talk[]): Promise<string[]> {
  const rows = await sql<{ run: string; event: string | null; deliveries: number; done: number }[]>`
    select r.run_id as run, e.id as event, count(d.id)::int as deliveries,
      (count(d.id) filter (where d.state = 'done' and d.lease_until is null))::int as done
    from loam.runs r
    left join loam.events e on e.tenant_id = r.tenant_id and e.id = r.event_id and e.type = 'run.completed'
      and e.payload ->> 'runId' = r.id::text and (e.payload ->> 'lastSequence')::int = r.last_sequence
    left join loam.deliveries d on d.tenant_id = e.tenant_id and d.event_id = e.id
    group by r.run_id, e.id`
  const found = new Map(rows.map((row) => [row.run, row]))
  const faults: string[] = []
  for (const { runId, eventId } of talks.flatMap(({ runs }) => runs)) {
    const row = found.get(runId)
    found.delete(runId)
    if (row?.event !== eventId) {
      faults.push(
        `${runId} was accepted with the event ${eventId}, and has ${row?.event ?? 'none'}`,
      )
    } else if (row.deliveries !== 1 || row.done !== 1) {
      faults.push(`${runId} has ${row.deliveries} deliveries, of which ${row.done} are done`)
    }
  }
  return [...faults, ...[...found.keys()].map((run) => `${run} was never accepted, and is there`)]
}

/** What one row promises and another does not keep. */
async function halfWritten({ sql }: World): Promise<string[]> {
  const checks = {
    'deliveries that are not done': sql`select from loam.deliveries where state <> 'done' or lease_until is not null`,
    'deliveries without event': sql`select from loam.deliveries d where not exists (
      select from loam.events e where e.tenant_id = d.tenant_id and e.id = d.event_id)`,
    'episodes without exactly one event': sql`select from loam.episodes p where 1 <> (
      select count(*) from loam.events e where e.tenant_id = p.tenant_id and e.session_id = p.session_id
        and e.type = 'episodic.created' and e.payload ->> 'episodeId' = p.id::text
        and (e.payload ->> 'firstSequence')::int = p.first_sequence and (e.payload ->> 'lastSequence')::int = p.last_sequence)`,
    'events of episodes that are not there': sql`select from loam.events e where e.type = 'episodic.created' and not exists (
      select from loam.episodes p where p.tenant_id = e.tenant_id and p.id::text = e.payload ->> 'episodeId')`,
    'events of runs that are not there': sql`select from loam.events e where e.type = 'run.completed' and not exists (
      select from loam.runs r where r.tenant_id = e.tenant_id and r.event_id = e.id)`,
    'episodes without exactly one chunk': sql`select from loam.episodes p where 1 <> (
      select count(*) from loam.chunks c where c.tenant_id = p.tenant_id and c.episode_id = p.id)`,
    'messages without exactly one chunk': sql`select from loam.messages m where 1 <> (
      select count(*) from loam.chunks c where c.tenant_id = m.tenant_id and c.session_id = m.session_id and c.sequence = m.sequence)`,
    'chunks without all postings': sql`select from loam.chunks c where cardinality(c.terms) <> (
      select count(*) from loam.postings p where p.tenant_id = c.tenant_id and p.scope_id = c.scope_id and p.chunk_id = c.id)`,
    'postings of chunks that are not there': sql`select from loam.postings p where not exists (
      select from loam.chunks c where c.tenant_id = p.tenant_id and c.id = p.chunk_id)`,
    'chunks without exactly one vector': sql`select from loam.chunks c where 1 <> (
      select count(*) from loam.chunk_vectors v where v.tenant_id = c.tenant_id and v.chunk_id = c.id)`,
    'scopes that count wrongly': sql`select from loam.scopes s where s.chunk_count || ',' || s.term_count <> (
      select count(*) || ',' || coalesce(sum(c.length), 0) from loam.chunks c
      where c.tenant_id = s.tenant_id and c.scope_id = s.scope_id)`,
    'groups that count wrongly': sql`select from loam.chunk_groups g where g.chunk_count || ',' || g.term_count <> (
      select count(*) || ',' || coalesce(sum(c.length), 0) from loam.chunks c
      where c.tenant_id = g.tenant_id and c.scope_id = g.scope_id and c.group_id = g.group_id)`,
  }
  const faults: string[] = []
  for (const [what, query] of Object.entries(checks)) {
    const { length } = await query
    if (length > 0) faults.push(`${length} ${what}`)
  }
  return faults
}

async function apiFaults(client: ApiClient, talks: readonly Talk[]): Promise<string[]> {
  const faults: string[] = []
  for (const talk of talks.filter(({ rounds }) => rounds > 0).slice(0, READ_OVER_HTTP)) {
    const { session, userId } = talk
    const messages = await client.demand<{ readonly items: readonly { readonly id: string }[] }>({
      method: 'GET',
      path: `/agents/${AGENT}/sessions/${session}/messages?userId=${userId}&limit=200`,
    })
    if (String(messages.items.map(({ id }) => id)) !== String(idsOf(talk).slice(0, 200))) {
      faults.push(`over HTTP, ${session} has other messages`)
    }
    const episodes = await client.demand<{ readonly items: readonly Episode[] }>({
      method: 'GET',
      path: `/agents/${AGENT}/episodic?userId=${userId}&session=${session}&limit=200`,
    })
    const inOrder = episodes.items.toSorted((a, b) => a.firstSequence - b.firstSequence)
    if (inOrder.length < 200) {
      faults.push(...coverageFaults(talk, inOrder).map((fault) => `over HTTP, ${fault}`))
    }
  }
  const status = await client.demand<{
    readonly index: { readonly withoutVector: number }
    readonly deliveries: readonly { readonly state: string; readonly count: number }[]
  }>({ method: 'GET', path: '/status' })
  if (status.index.withoutVector > 0)
    faults.push(`${status.index.withoutVector} chunks lack a vector`)
  for (const { state, count } of status.deliveries) {
    if (state !== 'done') faults.push(`over HTTP, ${count} deliveries are ${state}`)
  }
  return faults
}
