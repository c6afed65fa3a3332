import { maskUrl } from '@loam/core'
import type { LoamConfig } from './config.js'

const FOLDER = /^pglite:(?!memory$)(.*)$/

/** The folder of an embedded store; undefined for a server, and for a store in memory. */
export function storeFolder({ databaseUrl }: Pick<LoamConfig, 'databaseUrl'>): string | undefined {
  return FOLDER.exec(databaseUrl)?.[1]
}

/** Which store a configuration names, in words and without its password. */
export function describeStore(config: Pick<LoamConfig, 'databaseUrl'>): string {
  const folder = storeFolder(config)
  if (folder !== undefined) return `PGlite in ${folder}`
  if (config.databaseUrl === 'pglite:memory')
    return 'PGlite in memory, which is gone with the process'
  return `Postgres at ${maskUrl(config.databaseUrl)}`
}

/** Where a worker takes its jobs from. */
export function describeQueue({ redisUrl }: Pick<LoamConfig, 'redisUrl'>): string {
  return redisUrl === undefined
    ? 'none; jobs are taken from the database'
    : `Redis at ${maskUrl(redisUrl)}`
}

/** Who does the jobs of a process that serves the API. */
export function describeJobs(config: Pick<LoamConfig, 'redisUrl'>): string {
  return config.redisUrl === undefined
    ? 'done by this process'
    : `done by workers, through ${describeQueue(config)}`
}

/** What a worker says that was given no queue. */
export const NO_QUEUE =
  'LOAM_REDIS_URL is not set, so this worker takes its jobs from the database itself. That works beside any number of others; set the URL that the API has if it hands its jobs over through Redis.'
