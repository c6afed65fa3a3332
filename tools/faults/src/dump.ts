import type postgres from 'postgres'

/** What a store holds, without what differs between two runs of the same: ids of the store's own, and times. */
export interface Dump {
  readonly sessions: readonly object[]
  readonly messages: readonly object[]
  readonly runs: readonly object[]
  readonly episodes: readonly object[]
  readonly events: readonly object[]
  readonly deliveries: readonly object[]
  readonly index: readonly object[]
}

/** Reads it as the superuser. */
export async function dumpOf(sql: postgres.Sql): Promise<Dump> {
  return {
    sessions: await sql`select key, user_id, kind, last_sequence from loam.sessions order by key`,
    messages: await sql`
      select s.key as session, m.sequence, m.id, m.role, m.content from loam.messages m
      join loam.sessions s on s.tenant_id = m.tenant_id and s.id = m.session_id order by s.key, m.sequence`,
    runs: await sql`
      select s.key as session, r.run_id, r.last_sequence from loam.runs r
      join loam.sessions s on s.tenant_id = r.tenant_id and s.id = r.session_id order by s.key, r.run_id`,
    episodes: await sql`
      select s.key as session, e.first_sequence, e.last_sequence, e.summary, e.abstract, e.topics, e.method, e.message_count
      from loam.episodes e join loam.sessions s on s.tenant_id = e.tenant_id and s.id = e.session_id
      order by s.key, e.first_sequence`,
    events: await sql`
      select s.key as session, e.type, e.payload ->> 'firstSequence' as first, e.payload ->> 'lastSequence' as last, count(*)::int
      from loam.events e join loam.sessions s on s.tenant_id = e.tenant_id and s.id = e.session_id
      group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
    deliveries: await sql`
      select consumer, state, count(*)::int from loam.deliveries group by 1, 2 order by 1, 2`,
    index: await sql`
      select c.source, c.user_id, c.text, c.length, c.terms, c.frequencies, v.embedding::text as embedding,
        (select count(*)::int from loam.postings p where p.tenant_id = c.tenant_id and p.chunk_id = c.id) as postings
      from loam.chunks c left join loam.chunk_vectors v on v.tenant_id = c.tenant_id and v.chunk_id = c.id
      order by c.source, c.user_id, c.text, c.id`,
  }
}
