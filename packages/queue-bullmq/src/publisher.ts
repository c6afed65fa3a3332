import type { DeliveryMessage } from '@loam/core'
import { Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import { earlierJobIds, jobOf, type DeliveryJob } from './delivery-job.js'
import { hashTag } from './hash-tag.js'
import { isDisconnection } from './connection-watch.js'
import { QueueUnavailableError } from './queue-unavailable-error.js'
import type { RedisConnections } from './redis-connections.js'
import { within } from './time-limit.js'

/** What a publisher works with. */
export interface PublisherOptions {
  readonly connections: RedisConnections
  readonly prefix: string
  readonly timeoutMs: number
}

/** Ends a wait with the reason of whichever comes first. */
interface Interruptible {
  readonly signals: readonly AbortSignal[]
}

/** Hands messages over to the queues of their consumers. */
export interface Publisher {
  /** Resolves when Redis holds them all. After a rejection it may hold any of them. */
  publish(messages: readonly DeliveryMessage[], options: Interruptible): Promise<void>
  /** Resolves when Redis answers. */
  ping(options: Interruptible): Promise<void>
}

/** Makes a publisher; it connects when it is first used. */
export function createPublisher({ connections, prefix, timeoutMs }: PublisherOptions): Publisher {
  const queues = new Map<string, Queue>()
  let ready: Promise<void> | undefined

  function queueOf(consumer: string): Queue {
    const existing = queues.get(consumer)
    if (existing) return existing
    const queue = new Queue(consumer, {
      connection: connections.publisher(),
      prefix: hashTag(prefix, consumer),
      // Whether Redis answers is asked before each use, and it may be away at this moment.
      skipWaitingForReady: true,
      skipVersionCheck: true,
      skipMetasUpdate: true,
    })
    // The watch of the connections has them.
    queue.on('error', () => {})
    queues.set(consumer, queue)
    return queue
  }

  async function ask(
    request: (client: Redis) => Promise<unknown>,
    { signals }: Interruptible,
  ): Promise<void> {
    for (const signal of signals) signal.throwIfAborted()
    const client = connections.publisher()
    let over = false
    const answer = async (): Promise<void> => {
      if (client.status !== 'ready') await whenReady(client)
      if (!over) await request(client)
    }
    try {
      await within(answer(), { timeoutMs, timeoutError: () => new Silence(), signals })
    } catch (error) {
      over = true
      for (const signal of signals) signal.throwIfAborted()
      // A connection that looks sound and brings no answer is replaced; what was sent on it is refused.
      if (error instanceof Silence && client.status === 'ready') client.disconnect(true)
      throw unavailable(error)
    }
  }

  /** One promise for all that wait, however often they come. */
  function whenReady(client: Redis): Promise<void> {
    ready ??= new Promise((resolve) => {
      client.once('ready', () => {
        ready = undefined
        resolve()
      })
    })
    return ready
  }

  /** Without the error itself, which may carry what was sent. */
  function unavailable(error: unknown): QueueUnavailableError {
    const reason = connections.hideSecrets(reasonOf(error, timeoutMs))
    const { lastError } = connections.watch
    const because = lastError === undefined ? '' : ` (${lastError})`
    return new QueueUnavailableError({
      message: `Redis cannot be used at present: ${reason}${because}. Deliveries stay in the store and are sent again.`,
    })
  }

  return {
    async publish(messages, options) {
      const jobs = new Map<string, DeliveryJob[]>()
      for (const message of messages) {
        const job = jobOf(message)
        const others = jobs.get(message.consumer)
        if (others) others.push(job)
        else jobs.set(message.consumer, [job])
      }
      if (jobs.size === 0) return
      await ask(
        () => Promise.all([...jobs].map(([consumer, some]) => put(queueOf(consumer), some))),
        options,
      )
    },
    ping: (options) => ask((client) => client.ping(), options),
  }
}

/**
 * Adds jobs, in place of what is left of the attempts before. Without workers, or with too few, messages wait for longer than their
 * leases hold and are sent again and again; the queue would grow, and workers find nothing in it that may still be begun.
 */
async function put(queue: Queue, jobs: readonly DeliveryJob[]): Promise<void> {
  await Promise.all([
    ...earlierJobIds(jobs).map((id) => queue.remove(id)),
    queue.addBulk([...jobs]),
  ])
}

/** No answer in time. */
class Silence extends Error {}

function reasonOf(error: unknown, timeoutMs: number): string {
  if (error instanceof Silence) return `it did not answer within ${timeoutMs} ms`
  if (isDisconnection(error)) return 'the connection was lost'
  return error instanceof Error ? error.message : String(error)
}
