import { ConfigurationError, silentLogger, type Logger } from '@loam/core'
import { z } from 'zod'
import { readRedisUrl, type RedisAddress } from './redis-address.js'

/** What a bus on BullMQ works with. */
export interface BullmqBusOptions {
  /** `redis://user:password@host:port/database`, or `rediss://` for TLS. Redis 6.2 or newer. */
  readonly url: string
  /** Begins the name of every key, so that several installations can share a Redis. Default `loam`. */
  readonly prefix?: string | undefined
  /** Longest time that `publish` and `ping` wait for Redis. Default 2 s. */
  readonly publishTimeoutMs?: number | undefined
  /** After how long without a sign of life from its worker a message counts as lost; workers renew it. Default 30 s. */
  readonly lockDurationMs?: number | undefined
  /** How often workers look for lost messages, to take them themselves. Default 30 s. */
  readonly stalledIntervalMs?: number | undefined
  /** How often one message may be lost before it is dropped. Default 1,000. */
  readonly maxStalledCount?: number | undefined
  /** Default: silent. */
  readonly logger?: Logger | undefined
}

/** The same, checked and with the defaults filled in. */
export interface BusSettings {
  readonly address: RedisAddress
  readonly prefix: string
  readonly publishTimeoutMs: number
  readonly lockDurationMs: number
  readonly stalledIntervalMs: number
  readonly maxStalledCount: number
  readonly logger: Logger
}

const DAY_MS = 24 * 60 * 60 * 1_000

const milliseconds = z
  .int('Give a whole number of milliseconds.')
  .min(10, 'Give at least 10 ms.')
  .max(DAY_MS, 'Give at most a day.')

const settingsSchema = z.object({
  url: z.string().transform((url, context) => {
    const address = readRedisUrl(url)
    if (address) return address
    context.addIssue('Give redis://user:password@host:port/database, or rediss:// for TLS.')
    return z.NEVER
  }),
  // A colon separates the parts of BullMQ's keys, and braces mark what Redis Cluster hashes.
  prefix: z
    .string()
    .regex(/^[\w.-]{1,100}$/, 'Give up to 100 letters, digits, dots, dashes and underscores.')
    .default('loam'),
  publishTimeoutMs: milliseconds.default(2_000),
  lockDurationMs: milliseconds.default(30_000),
  stalledIntervalMs: milliseconds.default(30_000),
  maxStalledCount: z.int('Give a whole number.').min(0, 'Give 0 or more.').default(1_000),
})

/**
 * Checks the options.
 *
 * @throws ConfigurationError that names every fault, and no value: the URL holds a password.
 */
export function readBusOptions({
  logger = silentLogger,
  ...options
}: BullmqBusOptions): BusSettings {
  const read = settingsSchema.safeParse(options)
  if (read.success) {
    const { url: address, ...settings } = read.data
    return { address, ...settings, logger }
  }
  const issues = read.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }))
  const faults = issues.map(({ path, message }) => `${path}: ${message}`).join(' ')
  throw new ConfigurationError({ message: `The bus cannot be made. ${faults}`, issues })
}
