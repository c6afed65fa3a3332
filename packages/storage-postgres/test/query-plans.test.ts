import { generateId } from '@loam/core'
import type { Storage, Stores } from '@loam/storage'
import { sql, type SQL } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createStatementGate,
  execute,
  type Engine,
  type Statement as Entry,
} from '../src/database.js'
import { openOver } from '../src/open-storage.js'
import { createPgliteEngine } from '../src/pglite-engine.js'
import { createPostgresEngine } from '../src/postgres-engine.js'
import { createTestDatabase, migratedSnapshot, postgresTestUrl } from '../src/testing/index.js'
import { enterAs } from '../src/unit-of-work.js'
import { USERS, fillStore, type FilledTenant } from './fill-store.js'

interface Statement {
  readonly query: string
  readonly params: readonly unknown[]
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Rows Removed by Filter'?: number
  readonly 'Actual Loops': number
  readonly Plans?: readonly PlanNode[]
}

// The tables that hold hundreds of rows or more of each tenant. The others are read whole without harm.
const LARGE = new Set([
  'sessions',
  'messages',
  'runs',
  'episodes',
  'documents',
  'chunks',
  'postings',
  'chunk_groups',
  'chunk_vectors',
  'events',
  'deliveries',
  'model_calls',
])

// How many rows a scan may read in vain: those of one user, not those of a tenant; and a scan that is repeated, all in all.
const MOST_REMOVED = 60
const MOST_REMOVED_ALTOGETHER = 600

interface Fixture {
  readonly engine: Engine
  readonly storage: Storage
  readonly statements: Statement[]
  readonly tenant: FilledTenant
  readonly close: () => Promise<void>
}

async function createFixture(name: 'pglite' | 'postgres'): Promise<Fixture> {
  const statements: Statement[] = []
  const statementLogger = {
    logQuery: (query: string, params: unknown[]) => void statements.push({ query, params }),
  }
  const serverUrl = postgresTestUrl()
  const database =
    name === 'postgres' && serverUrl !== undefined ? await createTestDatabase(serverUrl) : undefined
  const engine = database
    ? createPostgresEngine(database.url, {
        maxConnections: 2,
        applicationName: 'query-plans',
        onNotice: () => {},
        statementLogger,
      })
    : await createPgliteEngine({ snapshot: await migratedSnapshot(), statementLogger })
  const storage = await openOver(engine, { migrate: false })
  const [tenant] = await fillStore(engine, storage)
  if (tenant === undefined) throw new Error('The store has no tenant.')
  return {
    engine,
    storage,
    statements,
    tenant,
    async close() {
      await storage.close()
      await database?.drop()
    },
  }
}

/** The statement with its parameters bound again, behind `explain`. */
function explained({ query, params }: Statement): SQL {
  const parts = query.split(/\$(\d+)/)
  const bound = parts.map((part, index) =>
    index % 2 === 0 ? sql.raw(part) : sql`${params[Number(part) - 1]}`,
  )
  return sql.join([sql.raw('explain (analyze, costs off, timing off, format json) '), ...bound])
}

async function plansOf(
  engine: Engine,
  entry: Entry,
  statements: readonly Statement[],
): Promise<readonly { readonly query: string; readonly nodes: readonly PlanNode[] }[]> {
  const plans: { query: string; nodes: readonly PlanNode[] }[] = []
  const undone = new Error('undone')
  await engine
    .transaction(
      async (database) => {
        for (const statement of statements) {
          const [row] = await execute<{ 'QUERY PLAN': readonly { Plan: PlanNode }[] }>(
            database,
            explained(statement),
          )
          const root = row?.['QUERY PLAN'][0]?.Plan
          plans.push({ query: statement.query, nodes: root ? flatten(root) : [] })
        }
        // What was explained has also been done.
        throw undone
      },
      createStatementGate(),
      entry,
    )
    .catch((error: unknown) => {
      if (error !== undone) throw error
    })
  return plans
}

function flatten(node: PlanNode): readonly PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)]
}

/** What is wrong with the plans, in words. */
function faultsOf(plans: Awaited<ReturnType<typeof plansOf>>): readonly string[] {
  return plans.flatMap(({ query, nodes }) =>
    nodes.flatMap((node) => {
      const relation = node['Relation Name'] ?? node['Index Name'] ?? ''
      const removedOnce = node['Rows Removed by Filter'] ?? 0
      const removed = removedOnce * node['Actual Loops']
      const scansAll = node['Node Type'] === 'Seq Scan' && LARGE.has(relation)
      const readsInVain = removedOnce > MOST_REMOVED || removed > MOST_REMOVED_ALTOGETHER
      return scansAll || readsInVain
        ? [`${node['Node Type']} on ${relation} removes ${removed} rows: ${query}`]
        : []
    }),
  )
}

const engines = [
  { name: 'pglite', skipped: false },
  { name: 'postgres', skipped: postgresTestUrl() === undefined },
] as const

const SOURCES = ['documents', 'messages', 'episodes'] as const

/** One call of each method that looks something up. */
function lookups({
  agentId,
  sessionId,
  chunkIds,
  spaceId,
  runId,
  episodeId,
  user,
  now,
}: FilledTenant) {
  const page = { limit: 20 }
  const filter = { agentId, sources: SOURCES, now }
  const limits = { maxPostings: 5000, maxCandidates: 500 }
  return {
    'agents.find': (stores) => stores.agents.find('agent'),
    'sessions.findByKey': (stores) => stores.sessions.findByKey(agentId, `${user}-1`),
    'sessions.findById': (stores) => stores.sessions.findById(sessionId),
    'sessions.lock': (stores) => stores.sessions.lock(sessionId),
    'sessions.list': (stores) => stores.sessions.list(agentId, page),
    'sessions.update': (stores) => stores.sessions.update(sessionId, { title: 'T' }),
    'sessions.delete': (stores) => stores.sessions.delete(sessionId),
    'messages.list': (stores) => stores.messages.list(sessionId, { limit: 5, newestFirst: true }),
    'messages.range': (stores) => stores.messages.range(sessionId, 3, 6),
    'messages.storedIds': (stores) => stores.messages.storedIds(sessionId, ['m1', 'm2']),
    'messages.append': (stores) =>
      stores.messages.append(sessionId, [
        { id: 'new-1', role: 'user', content: 'x', origin: 'conversation', createdAt: now },
        { id: 'new-2', role: 'user', content: 'x', origin: 'conversation', createdAt: now },
      ]),
    'runs.find': (stores) => stores.runs.find(runId),
    'runs.latest': (stores) => stores.runs.latest(sessionId),
    'documents.find': (stores) => stores.documents.find(agentId, user, 'notes/1.md'),
    'documents.list': (stores) => stores.documents.list(agentId, page),
    'documents.list with a prefix': (stores) =>
      stores.documents.list(agentId, { ...page, pathPrefix: 'notes/1' }),
    'documents.delete': (stores) => stores.documents.delete(agentId, user, 'notes/2.md'),
    'episodes.find': (stores) => stores.episodes.find(episodeId, now),
    'episodes.list': (stores) => stores.episodes.list(agentId, { ...page, now }),
    'episodes.list of a session': (stores) =>
      stores.episodes.list(agentId, { ...page, now, sessionId }),
    'episodes.overlap': (stores) =>
      stores.episodes.overlap(sessionId, { firstSequence: 2, lastSequence: 3 }),
    'episodes.deleteExpired': (stores) => stores.episodes.deleteExpired(now, 10),
    'chunks.read': (stores) => stores.chunks.read(chunkIds),
    'chunks.at': (stores) => stores.chunks.at([{ groupId: sessionId, position: 2 }]),
    'chunks.deleteOf': (stores) =>
      stores.chunks.deleteOf({ source: 'messages', sessionId, sequence: 1 }),
    'chunks.withoutVector': (stores) =>
      stores.chunks.withoutVector({ spaceId, groupId: sessionId, limit: 10 }),
    'chunks.matchTerms': (stores) =>
      stores.chunks.matchTerms(filter, ['word1', 'word7', 'word300', 'nothing'], limits),
    'chunks.matchTerms in a path': (stores) =>
      stores.chunks.matchTerms({ ...filter, pathPrefix: 'notes/' }, ['word1', 'word2'], limits),
    'chunks.nearest': (stores) =>
      stores.chunks.nearest(filter, { spaceId, vector: [1, 2, 3], limit: 10 }),
    'embeddingSpaces.putVectors': (stores) =>
      stores.embeddingSpaces.putVectors(
        spaceId,
        chunkIds.map((chunkId) => ({ chunkId, vector: [1, 2, 3] })),
      ),
    'modelCalls.totals': (stores) => stores.modelCalls.totals(now),
  } satisfies Record<string, (stores: Stores) => Promise<unknown>>
}

describe.each(engines)('query plans on $name', ({ name, skipped }) => {
  let fixture: Fixture | undefined
  beforeAll(async () => {
    if (!skipped) fixture = await createFixture(name)
  }, 300_000)
  afterAll(async () => {
    await fixture?.close()
  })
  const opened = () => {
    if (fixture === undefined) throw new Error('The store was not opened.')
    return fixture
  }

  const names = Object.keys(lookups({} as FilledTenant)) as (keyof ReturnType<typeof lookups>)[]
  it.skipIf(skipped).each(names)('%s stays on an index for one user of many', async (lookup) => {
    const { engine, storage, statements, tenant } = opened()
    const access = { tenantId: tenant.tenantId, userId: tenant.user }
    const undone = new Error('undone')
    statements.length = 0
    await storage
      .transaction(access, async (stores) => {
        await lookups(tenant)[lookup](stores)
        throw undone
      })
      .catch((error: unknown) => {
        if (error !== undone) throw error
      })
    const sent = [...statements]
    expect(sent.length).toBeGreaterThan(0)
    const plans = await plansOf(engine, enterAs(access), sent)
    expect(faultsOf(plans)).toEqual([])
  })

  it.skipIf(skipped)('the deliveries stay on an index, and done ones cost nothing', async () => {
    const { engine, storage, statements, tenant } = opened()
    statements.length = 0
    const { deliveries, apiKeys } = storage.system
    await apiKeys.findByHash('no such hash')
    const request = {
      consumers: ['done', 'open'],
      now: tenant.now,
      limit: 10,
      leaseMs: 1000,
      maxOut: 50,
    }
    const [first] = await deliveries.claim(request)
    if (first === undefined) throw new Error('There is nothing to claim.')
    await deliveries.find(tenant.tenantId, first.id)
    await deliveries.begin(first, tenant.now)
    await deliveries.renew(first, tenant.now)
    await deliveries.fail(first, { error: 'x', retryAt: tenant.now })
    await deliveries.release(first)
    await deliveries.nextDueAt(['done', 'open'])
    await deliveries.areSettled(['done', 'open'], tenant.now)
    await deliveries.listDead(tenant.tenantId, { limit: 10, before: generateId() })
    await deliveries.replay(tenant.tenantId, { ids: [generateId()] }, tenant.now)
    await deliveries.replay(tenant.tenantId, { consumer: 'open' }, tenant.now)
    const sent = [...statements]
    expect(sent.length).toBeGreaterThan(11)
    const plans = await plansOf(engine, enterAs('system'), sent)
    expect(faultsOf(plans)).toEqual([])
  })

  it.skipIf(skipped)('a scan of a whole table would have been noticed', async () => {
    const { engine, tenant } = opened()
    const access = { tenantId: tenant.tenantId, userId: tenant.user }
    const statement = {
      query: `select id from loam.chunks where text like $1`,
      params: ['%word1%'],
    }
    const plans = await plansOf(engine, enterAs(access), [statement])
    expect(faultsOf(plans)).not.toEqual([])
    expect(USERS).toBeGreaterThan(10)
  })
})
