import { randomBytes } from 'node:crypto'
import { migrate } from '@loam/storage-postgres'
import { createTestDatabase, postgresTestUrl } from '@loam/storage-postgres/testing'
import postgres from 'postgres'
import { hasRedisServer } from '../../services/redis-server.mjs'
import { createApiClient, type ApiClient, type ApiClientOptions } from './api-client.js'
import type { App } from './processes/app-code.js'
import { startProcess, type LoamProcess } from './processes/loam-process.js'
import {
  startScriptedModel,
  type ScriptedModel,
  type ScriptedModelOptions,
} from './scripted-model.js'
import { canStartPostgres, startFaultPostgres, type FaultPostgres } from './servers/postgres.js'
import { startFaultRedis, type FaultRedis } from './servers/redis.js'
import { createStack } from './stack.js'
import { AGENT } from './talk.js'
import { until } from './until.js'

/** An installation of Loam that a test may break: databases, a model, and processes that it starts and kills. */
export interface World {
  readonly redis: FaultRedis
  /** Present when the world has a Postgres of its own. */
  readonly postgres: FaultPostgres | undefined
  readonly model: ScriptedModel
  readonly databaseUrl: string
  /** As the superuser, who sees every tenant's rows. */
  readonly sql: postgres.Sql
  /** Talks to the API that was started first and still runs. */
  readonly client: ApiClient
  /** Makes another client, of one API or of whichever runs. */
  clientOf(options?: { readonly api?: LoamProcess } & Pick<ApiClientOptions, 'onAnswer'>): ApiClient
  /** Starts a process, with settings of its own besides the world's. */
  start(app: App, settings?: Readonly<Record<string, string>>): Promise<LoamProcess>
  readonly processes: readonly LoamProcess[]
  readonly apiKey: string
  /** Resolves when every delivery is done; rejects when one is dead or it takes too long, and tells how it stands. */
  allDone(options?: { readonly timeoutMs?: number }): Promise<void>
  /** How it stands: deliveries, statements that wait, and the last lines of every process. */
  readonly describe: () => Promise<string>
  /** Looks until there is something to see; see `until`. */
  until<Seen>(
    what: string,
    look: () => Promise<Seen | undefined | false> | Seen | undefined | false,
  ): Promise<Seen>
  close(): Promise<void>
}

/** What differs between worlds. */
export interface WorldOptions extends ScriptedModelOptions {
  /** Whether it has a Postgres of its own, to be crashed. Default false: a database on the test server. */
  readonly ownPostgres?: boolean
  /** For all its processes. */
  readonly settings?: Readonly<Record<string, string>>
}

/** Short, so that a test need not wait long for what a killed process held. */
const LEASE_MS = 1_500
const LINES_SHOWN = 12

/**
 * Whether this machine has what a world needs.
 *
 * @throws Error when `CI` is `true` and it has not, since then no suite may be skipped.
 */
export async function canMakeWorld({ ownPostgres = false }: WorldOptions = {}): Promise<boolean> {
  const hasPostgres = ownPostgres ? await canStartPostgres() : postgresTestUrl() !== undefined
  if (hasPostgres && (await hasRedisServer())) return true
  if (process.env['CI'] !== 'true') return false
  throw new Error(
    'Worlds of fault tests are made of redis-server and a Postgres with pgvector that are installed on the machine itself.',
  )
}

/** Makes a world without a process. The first API that is started gets an agent. */
export async function createWorld(options: WorldOptions = {}): Promise<World> {
  const stack = createStack()
  try {
    return await build(options, stack)
  } catch (error) {
    await stack.close()
    throw error
  }
}

async function build(
  { ownPostgres = false, settings: shared = {}, ...scripted }: WorldOptions,
  stack: ReturnType<typeof createStack>,
): Promise<World> {
  const model = await startScriptedModel(scripted)
  stack.defer(() => model.close())
  const redis = await startFaultRedis()
  stack.defer(() => redis.remove())
  const ownServer = ownPostgres ? await startFaultPostgres() : undefined
  const databaseUrl = ownServer?.url ?? (await testDatabase(stack))
  if (ownServer) {
    stack.defer(() => ownServer.remove())
    await migrate(databaseUrl)
  }
  const sql = postgres(databaseUrl, { max: 4, onnotice: () => {}, backoff: () => 0.2 })
  stack.defer(() => sql.end())
  const processes: LoamProcess[] = []
  const started = { api: 0, worker: 0 }
  stack.defer(() => Promise.all(processes.map((process) => process.kill())))

  const apiKey = randomBytes(20).toString('hex')
  const settings = {
    LOAM_HOST: '127.0.0.1',
    LOAM_PORT: '0',
    LOAM_DATABASE_URL: databaseUrl,
    LOAM_REDIS_URL: redis.url,
    LOAM_QUEUE_PREFIX: 'faults',
    LOAM_API_KEY: apiKey,
    LOAM_LEASE_MS: String(LEASE_MS),
    LOAM_MODEL_BASE_URL: model.baseUrl,
    LOAM_CHAT_MODEL: 'scripted',
    ...shared,
  }
  const clientOf: World['clientOf'] = ({ api, ...rest } = {}) =>
    createApiClient({
      apiKey,
      url: () => {
        const running = api ?? processes.find(({ app, isRunning }) => app === 'api' && isRunning)
        if (!running) throw new Error('No API runs at this moment.')
        return running.url
      },
      ...rest,
    })
  const client = clientOf()

  const world: World = {
    redis,
    postgres: ownServer,
    model,
    databaseUrl,
    sql,
    client,
    clientOf,
    processes,
    apiKey,
    async start(app, own = {}) {
      const number = (started[app] += 1)
      const process = await startProcess({
        app,
        name: `${app} ${number}`,
        settings: { ...settings, ...own },
      })
      processes.push(process)
      if (app === 'api' && number === 1) {
        await client.demand({ method: 'POST', path: '/agents', body: { key: AGENT } })
      }
      return process
    },
    async allDone(limits) {
      await until(
        'every delivery is done',
        async () => {
          const states = await deliveryStates(sql)
          if (states.some(({ state }) => state === 'dead')) {
            throw new Error(`A delivery is dead.\n${await world.describe()}`)
          }
          return states.every(({ state }) => state === 'done')
        },
        { ...limits, everyMs: 100, diagnose: world.describe },
      )
    },
    describe: async () =>
      [
        'Deliveries:',
        ...(await rowsOf(deliveryStates(sql))),
        'Some that are not done:',
        ...(await rowsOf(openDeliveries(sql))),
        'Statements that wait:',
        ...(await rowsOf(waitingStatements(sql))),
        `Requests to the model: ${model.calls}`,
        ...processes.flatMap(({ name, isRunning, log }) => [
          `${name}${isRunning ? '' : ' (ended)'}:`,
          ...log.slice(-LINES_SHOWN).map((line) => `  ${line}`),
        ]),
      ].join('\n'),
    until: (what, look) => until(what, look, { diagnose: world.describe }),
    close: () => stack.close(),
  }
  return world
}

async function testDatabase(stack: ReturnType<typeof createStack>): Promise<string> {
  const serverUrl = postgresTestUrl()
  if (serverUrl === undefined) throw new Error('Set LOAM_TEST_DATABASE_URL.')
  const database = await createTestDatabase(serverUrl)
  stack.defer(() => database.drop())
  return database.url
}

/** The database may be away. */
async function rowsOf(query: Promise<readonly object[]>): Promise<string[]> {
  try {
    return (await query).map((row) => `  ${JSON.stringify(row)}`)
  } catch (error) {
    return [`  ${String(error)}`]
  }
}

interface DeliveryStates {
  readonly consumer: string
  readonly state: string
  readonly count: number
}

async function deliveryStates(sql: postgres.Sql): Promise<readonly DeliveryStates[]> {
  return await sql<DeliveryStates[]>`
    select consumer, state, count(*)::int as count from loam.deliveries group by consumer, state order by 1, 2`
}

async function openDeliveries(sql: postgres.Sql): Promise<readonly object[]> {
  return await sql`select d.id, d.consumer, d.state, d.attempt, d.tries, d.last_error, s.key as session,
      round(extract(epoch from d.lease_until - now()) * 1000)::int as lease_ms,
      round(extract(epoch from d.run_after - now()) * 1000)::int as run_after_ms
    from loam.deliveries d join loam.events e on e.tenant_id = d.tenant_id and e.id = d.event_id
    left join loam.sessions s on s.tenant_id = e.tenant_id and s.id = e.session_id
    where d.state <> 'done' order by d.due_at limit 10`
}

async function waitingStatements(sql: postgres.Sql): Promise<readonly object[]> {
  return await sql`select pid, state, wait_event_type, wait_event, left(query, 120) as query
    from pg_stat_activity where datname = current_database() and application_name = 'loam'
      and (wait_event_type = 'Lock' or state = 'idle in transaction')`
}
