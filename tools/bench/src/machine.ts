import { cpus, loadavg, release, totalmem, type } from 'node:os'
import postgres from 'postgres'
import { Redis } from 'ioredis'
import { MEM0_VERSION } from './peers/install-mem0.js'

/** What the figures were measured on. */
export type MachineFacts = Readonly<Record<string, string>>

/** Describes the machine and the servers. */
export async function describeMachine(servers: {
  readonly databaseUrl: string
  readonly redisUrl: string | undefined
}): Promise<MachineFacts> {
  const [core] = cpus()
  return {
    processor: `${cpus().length} × ${core?.model.trim() ?? 'unknown'}`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    system: `${type()} ${release()}`,
    node: process.version,
    ...(await describePostgres(servers.databaseUrl)),
    redis: servers.redisUrl === undefined ? 'none' : await redisVersion(servers.redisUrl),
    mem0: MEM0_VERSION,
    load: currentLoad(),
  }
}

/** The load averages of the last 1, 5 and 15 minutes: above the number of cores, others were at work too. */
export function currentLoad(): string {
  return loadavg()
    .map((load) => load.toFixed(1))
    .join(' ')
}

async function describePostgres(url: string): Promise<MachineFacts> {
  const server = postgres(url, { max: 1, onnotice: () => {} })
  try {
    const [row] = await server<{ version: string; pgvector: string; durability: string }[]>`
      select current_setting('server_version') as version,
        'fsync ' || current_setting('fsync') || ', synchronous_commit ' || current_setting('synchronous_commit') as durability,
        coalesce((select default_version from pg_available_extensions where name = 'vector'), 'none') as pgvector`
    return {
      postgres: row?.version ?? '',
      pgvector: row?.pgvector ?? '',
      durability: row?.durability ?? '',
    }
  } finally {
    await server.end()
  }
}

async function redisVersion(url: string): Promise<string> {
  const redis = new Redis(url)
  try {
    return /redis_version:(\S+)/.exec(await redis.info('server'))?.[1] ?? 'unknown'
  } finally {
    redis.disconnect()
  }
}
