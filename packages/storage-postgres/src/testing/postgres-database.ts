import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { loadMigrations } from '../migration-files.js'
import { migrate } from '../open-storage.js'

/** A migrated database of a test's own. */
export interface TestDatabase {
  readonly url: string
  /** @throws Error when somebody is still connected: a test left a connection open. */
  drop(): Promise<void>
}

const LEAK_WAIT_MS = 3000

/** Makes a database as a copy of a migrated one, which is made first if the server has none of these migrations. */
export async function createTestDatabase(serverUrl: string): Promise<TestDatabase> {
  const name = `loam_test_${randomUUID().replaceAll('-', '')}`
  await withServer(serverUrl, async (server) => {
    const template = await ensureTemplate(server, serverUrl)
    await server.unsafe(`create database ${name} template ${template}`)
  })
  return {
    url: databaseUrl(serverUrl, name),
    drop: () =>
      withServer(serverUrl, async (server) => {
        const left = await leakedConnections(server, name)
        await server.unsafe(`drop database ${name} with (force)`)
        if (left.length > 0) throw new Error(`The test left connections open: ${left.join(', ')}`)
      }),
  }
}

type Server = postgres.Sql

async function withServer<Result>(
  url: string,
  work: (server: Server) => Promise<Result>,
): Promise<Result> {
  const server = postgres(url, { max: 1, onnotice: () => {} })
  try {
    return await work(server)
  } finally {
    await server.end()
  }
}

async function ensureTemplate(server: Server, serverUrl: string): Promise<string> {
  const hash = createHash('sha256')
  for (const { checksum } of await loadMigrations()) hash.update(checksum)
  const template = `loam_template_${hash.digest('hex').slice(0, 16)}`
  await server`select pg_advisory_lock(7420003)`
  try {
    const [present] = await server`select from pg_database where datname = ${template}`
    if (present) return template
    const draft = `${template}_draft`
    await server.unsafe(`drop database if exists ${draft} with (force)`)
    await server.unsafe(`create database ${draft}`)
    await migrate(databaseUrl(serverUrl, draft))
    await leakedConnections(server, draft)
    await server.unsafe(`alter database ${draft} rename to ${template}`)
    return template
  } finally {
    await server`select pg_advisory_unlock(7420003)`
  }
}

/** Those still connected after a moment, in which a closed connection ends on the server too. */
async function leakedConnections(server: Server, name: string): Promise<readonly string[]> {
  const until = performance.now() + LEAK_WAIT_MS
  for (;;) {
    const rows = await server<{ application: string; state: string }[]>`
      select application_name as application, coalesce(state, '') as state from pg_stat_activity
      where datname = ${name} and backend_type = 'client backend'`
    if (rows.length === 0 || performance.now() > until) {
      return rows.map(({ application, state }) => `${application} (${state})`)
    }
    await sleep(20)
  }
}

function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}
