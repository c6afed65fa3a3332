import { randomBytes } from 'node:crypto'
import { migrate } from '@loam/storage-postgres'
import postgres from 'postgres'

/** A database that was made for this run. */
export interface OwnDatabase {
  readonly url: string
  drop(): Promise<void>
}

/** Makes an empty database on the server, beside the one that the URL names. */
export async function createDatabase(serverUrl: string, purpose: string): Promise<OwnDatabase> {
  const name = `bench_${purpose}_${randomBytes(4).toString('hex')}`
  await withServer(serverUrl, (server) => server.unsafe(`create database ${name}`))
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return {
    url: url.href,
    drop: async () => {
      await withServer(serverUrl, (server) => server.unsafe(`drop database ${name} with (force)`))
    },
  }
}

/** Makes a database with Loam's tables. */
export async function createLoamDatabase(
  serverUrl: string,
  purpose = 'loam',
): Promise<OwnDatabase> {
  const database = await createDatabase(serverUrl, purpose)
  try {
    await migrate(database.url)
    return database
  } catch (error) {
    await database.drop()
    throw error
  }
}

/**
 * Has the server look at what the databases hold, as it does by itself within a minute or two of many writes: the plans
 * that it makes for tables which it takes for empty are those of no running installation.
 */
export async function analyze(urls: readonly string[]): Promise<void> {
  for (const url of urls) await withServer(url, (server) => server`analyze`)
}

async function withServer<Result>(
  url: string,
  work: (server: postgres.Sql) => Promise<Result>,
): Promise<Result> {
  const server = postgres(url, { max: 1, onnotice: () => {} })
  try {
    return await work(server)
  } finally {
    await server.end()
  }
}
