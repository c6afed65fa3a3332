import { setImmediate as soon } from 'node:timers/promises'
import { Redis, type RedisOptions } from 'ioredis'
import type { Logger } from '@loam/core'
import { createConnectionWatch, type ConnectionWatch } from './connection-watch.js'
import { hidePassword, type RedisAddress } from './redis-address.js'
import { settlesWithin } from './time-limit.js'

/** The connections of one bus to one Redis. None is opened before it is used. */
export interface RedisConnections {
  readonly watch: ConnectionWatch
  /** Cuts the password out of a text. */
  hideSecrets(text: string): string
  /** For handing over: it refuses commands while Redis is away. */
  publisher(): Redis
  /** For taking: its commands wait until Redis is back. BullMQ makes itself a copy for each worker. */
  worker(): Redis
  /** Resolves when Redis has answered all that workers have sent, or after `timeoutMs`. */
  settleWorkers(timeoutMs: number): Promise<void>
  /** Ends them all, and any that is opened later. */
  close(): void
}

const HEARTBEAT_MS = 5_000
const MAX_RECONNECT_MS = 1_000

/** Prepares the connections. */
export function createRedisConnections(
  address: RedisAddress,
  { logger }: { readonly logger: Logger },
): RedisConnections {
  const hideSecrets = (text: string): string => hidePassword(text, address)
  const watch = createConnectionWatch({ logger, hideSecrets })
  const clients = new Set<Redis>()
  let publisher: Redis | undefined
  let worker: Redis | undefined
  let heartbeat: NodeJS.Timeout | undefined
  let closed = false

  const shared: RedisOptions = {
    ...address,
    retryStrategy: (times) => (closed ? null : Math.min(50 * 2 ** times, MAX_RECONNECT_MS)),
    // Until a silent connection is dropped for good; the process cannot end before.
    disconnectTimeout: 500,
    // After a failover the old address may lead to a replica, which only reads.
    reconnectOnError: (error) => error.message.includes('READONLY'),
  }

  function open(options: RedisOptions): Redis {
    const client = new Redis(options)
    clients.add(client)
    watch.add(client)
    // BullMQ opens connections again that it finds ended.
    client.on('connect', () => closed && client.disconnect())
    client.on('end', () => clients.delete(client))
    client.duplicate = (override) => open({ ...options, ...override })
    return client
  }

  return {
    watch,
    hideSecrets,
    publisher: () =>
      (publisher ??= open({
        ...shared,
        enableOfflineQueue: false,
        maxRetriesPerRequest: 0,
        autoResendUnfulfilledCommands: false,
      })),
    worker() {
      if (worker) return worker
      const client = (worker = open({ ...shared, maxRetriesPerRequest: null }))
      heartbeat = setInterval(() => void renewIfSilent(client), HEARTBEAT_MS).unref()
      return client
    },
    async settleWorkers(timeoutMs) {
      if (worker) await settlesWithin(roundTrips(worker), timeoutMs)
    },
    close() {
      closed = true
      watch.stop()
      clearInterval(heartbeat)
      for (const client of clients) {
        client.disconnect()
        // While it waits to try again, that leaves it neither open nor ended, and its commands without an answer. The
        // next try is the last.
        if (watch.isLost(client)) client.connect().catch(() => {})
      }
    },
  }
}

/** Answers come in order: the first round is for what was sent before, the second for what those answers led to. */
async function roundTrips(client: Redis): Promise<void> {
  for (const _ of ['first', 'second']) {
    await soon()
    await client.ping()
  }
}

/** A connection that a network has dropped without a word would look sound for a quarter of an hour. */
async function renewIfSilent(client: Redis): Promise<void> {
  if (client.status !== 'ready') return
  if (!(await settlesWithin(client.ping(), HEARTBEAT_MS))) client.disconnect(true)
}
