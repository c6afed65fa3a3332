import { generateId } from '@loam/core'
import type { Storage } from '@loam/storage'
import { sql } from 'drizzle-orm'
import { createStatementGate, execute, type Database, type Engine } from '../src/database.js'

export const USERS = 30
const SESSIONS_PER_USER = 12
const MESSAGES_PER_SESSION = 10
const DOCUMENTS_PER_USER = 20
const TENANTS = 3

/** A tenant of a full store, and names of things in it. */
export interface FilledTenant {
  readonly tenantId: string
  readonly agentId: string
  readonly spaceId: number
  /** One of its users, and what belongs to that one. */
  readonly user: string
  readonly sessionId: string
  readonly runId: string
  readonly episodeId: string
  readonly chunkIds: readonly string[]
  readonly now: Date
}

const NOW = new Date('2026-11-30T12:00:00.000Z')

/** Fills a store with three tenants of thirty users each, and brings the planner's statistics up to date. */
export async function fillStore(
  engine: Engine,
  storage: Storage,
): Promise<readonly FilledTenant[]> {
  const tenants: FilledTenant[] = []
  for (let index = 0; index < TENANTS; index += 1) {
    const [tenantId, agentId] = [generateId(), generateId()]
    const access = { tenantId, everyUser: true } as const
    const spaceId = await storage.transaction(access, async (stores) => {
      await stores.tenants.ensure({ slug: tenantId, name: 'Tenant' })
      const agent = { id: agentId, key: 'agent', type: 'open', settings: {} } as const
      await stores.agents.create({ ...agent, displayName: undefined, description: undefined })
      const space = { provider: 'test', model: 'three', dimensions: 3 }
      return (await stores.embeddingSpaces.ensure(space)).id
    })
    tenants.push(
      await engine.transaction(
        (database) => fillTenant(database, tenantId, agentId, spaceId),
        createStatementGate(),
      ),
    )
  }
  await engine.transaction((database) => execute(database, sql`analyze`), createStatementGate())
  return tenants
}

/** As the owner of the tables, one statement for each of them. */
async function fillTenant(
  database: Database,
  tenantId: string,
  agentId: string,
  spaceId: number,
): Promise<FilledTenant> {
  const run = (statement: ReturnType<typeof sql>) => execute(database, statement)
  const tenant = sql`${tenantId}::uuid`
  const agent = sql`${agentId}::uuid`
  await run(
    sql`select set_config('loam.tenant', ${tenantId}, true), set_config('loam.every_user', 'on', true)`,
  )
  await run(sql`insert into loam.sessions (tenant_id, id, agent_id, user_id, key, kind, last_sequence)
    select ${tenant}, gen_random_uuid(), ${agent}, 'user' || u, 'user' || u || '-' || s, 'direct', ${MESSAGES_PER_SESSION}::int
    from generate_series(1, ${USERS}::int) u, generate_series(1, ${SESSIONS_PER_USER}::int) s`)
  await run(sql`insert into loam.messages (tenant_id, session_id, sequence, id, user_id, role, content, origin, digest, created_at)
    select tenant_id, id, n, 'm-' || n, user_id, 'user', '"text"', 'conversation', 'digest', now()
    from loam.sessions, generate_series(1, ${MESSAGES_PER_SESSION}::int) n where tenant_id = ${tenant}`)
  await run(sql`insert into loam.runs (tenant_id, id, session_id, user_id, run_id, status, last_sequence, event_id)
    select tenant_id, gen_random_uuid(), id, user_id, 'r-' || n, 'completed', n, gen_random_uuid()
    from loam.sessions, generate_series(1, 3) n where tenant_id = ${tenant}`)
  await run(sql`insert into loam.episodes (tenant_id, id, agent_id, user_id, session_id, first_sequence, last_sequence, summary,
      abstract, method, message_count, started_at, ended_at, created_at, expires_at)
    select tenant_id, gen_random_uuid(), agent_id, user_id, id, n * 5 - 4, n * 5, 'summary', 'abstract', 'rules', 5, now(), now(),
      now(), ${NOW.toISOString()}::text::timestamptz + interval '90 days'
    from loam.sessions, generate_series(1, 2) n where tenant_id = ${tenant}`)
  await run(sql`insert into loam.documents (tenant_id, id, agent_id, user_id, path, content, hash, index_state)
    select ${tenant}, gen_random_uuid(), ${agent}, 'user' || u, 'notes/' || n || '.md', 'content', 'hash', 'complete'
    from generate_series(1, ${USERS}::int) u, generate_series(1, ${DOCUMENTS_PER_USER}::int) n`)
  await run(sql`insert into loam.scopes (tenant_id, agent_id, user_id)
    select ${tenant}, ${agent}, 'user' || u from generate_series(1, ${USERS}::int) u`)
  const terms = sql`array['word' || (1 + floor(3 * random())), 'word' || (4 + floor(20 * random())), 'word' || (24 + floor(2000 * random()))]`
  await run(sql`insert into loam.chunks (tenant_id, id, scope_id, agent_id, user_id, session_id, sequence, position, part, text,
      occurred_at, terms, frequencies, length)
    select m.tenant_id, gen_random_uuid(), s.scope_id, ${agent}, m.user_id, m.session_id, m.sequence, m.sequence, 0, 'text', now(),
      ${terms}, '{1,1,1}', 3
    from loam.messages m join loam.scopes s on s.tenant_id = m.tenant_id and s.user_id = m.user_id where m.tenant_id = ${tenant}`)
  await run(sql`insert into loam.chunks (tenant_id, id, scope_id, agent_id, user_id, document_id, position, part, text, path,
      occurred_at, terms, frequencies, length)
    select d.tenant_id, gen_random_uuid(), s.scope_id, ${agent}, d.user_id, d.id, 1, 0, 'text', d.path, now(), ${terms}, '{1,1,1}', 3
    from loam.documents d join loam.scopes s on s.tenant_id = d.tenant_id and s.user_id = d.user_id where d.tenant_id = ${tenant}`)
  await run(sql`insert into loam.chunk_vectors (tenant_id, chunk_id, space_id, scope_id, dimensions, is_zero, embedding)
    select tenant_id, id, ${spaceId}::int, scope_id, 3, false, array[random(), random(), random()]::real[]::vector
    from loam.chunks where tenant_id = ${tenant}`)
  await run(sql`insert into loam.events (tenant_id, id, agent_id, user_id, session_id, type, payload, occurred_at)
    select tenant_id, gen_random_uuid(), agent_id, user_id, id, 'run.completed',
      jsonb_build_object('runId', id, 'sessionId', id, 'lastSequence', n), ${NOW.toISOString()}::text::timestamptz
    from loam.sessions, generate_series(1, 4) n where tenant_id = ${tenant}`)
  // Nearly all deliveries are done, as in a store that has run for long.
  await run(sql`insert into loam.deliveries (tenant_id, id, event_id, user_id, consumer, ordering_key, state, run_after)
    select tenant_id, gen_random_uuid(), id, user_id, case when n % 40 = 0 then 'open' else 'done' end, session_id::text,
      case when n % 40 = 0 then 'pending' else 'done' end, occurred_at
    from (select e.*, row_number() over () as n from loam.events e where e.tenant_id = ${tenant}) e`)
  await run(sql`insert into loam.model_calls (tenant_id, id, agent_id, user_id, task, kind, provider, model, status, started_at)
    select ${tenant}, gen_random_uuid(), ${agent}, 'user' || u, 'task', 'chat', 'p', 'm', 'succeeded', now()
    from generate_series(1, ${USERS}::int) u, generate_series(1, 20) n`)
  await run(sql`insert into loam.model_usage (tenant_id, day, calls, charged_tokens, cost_nano_usd)
    select ${tenant}, date '2026-01-01' + n, 1, 1, 1 from generate_series(1, 200) n`)
  const [names] = await execute<
    Pick<FilledTenant, 'sessionId' | 'runId' | 'episodeId' | 'chunkIds'>
  >(
    database,
    sql`select s.id as "sessionId",
      (select id from loam.runs where tenant_id = ${tenant} and session_id = s.id limit 1) as "runId",
      (select id from loam.episodes where tenant_id = ${tenant} and session_id = s.id limit 1) as "episodeId",
      (select jsonb_agg(id) from loam.chunks where tenant_id = ${tenant} and session_id = s.id) as "chunkIds"
    from loam.sessions s where s.tenant_id = ${tenant} and s.key = 'user1-1'`,
  )
  if (names === undefined) throw new Error('The tenant has no session.')
  return { tenantId, agentId, spaceId, user: 'user1', now: NOW, ...names }
}
