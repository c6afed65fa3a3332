import { createCalmWarning, describeThrown, type DeliveryHandler, type Logger } from '@loam/core'
import { WaitingError, type Job } from 'bullmq'
import { messageOf } from './delivery-job.js'
import { hashTag } from './hash-tag.js'
import type { RedisConnections } from './redis-connections.js'
import { SteadyWorker } from './steady-worker.js'

/** What a consumer's worker works with. */
export interface ConsumerWorkerOptions {
  readonly consumer: string
  readonly handler: DeliveryHandler
  readonly concurrency: number
  readonly connections: RedisConnections
  readonly prefix: string
  readonly lockDurationMs: number
  readonly stalledIntervalMs: number
  readonly maxStalledCount: number
  readonly logger: Logger
  /** Holds what the handler has begun and not ended. */
  readonly inHand: Set<Promise<void>>
  /** Handed to the handler. */
  readonly signal: AbortSignal
}

/** Takes the messages of one consumer. */
export interface ConsumerWorker {
  /** Takes no further message. */
  stop(): void
  /** Forgets what is not done, for others to take when its lock ends. */
  close(): Promise<void>
}

/** What BullMQ says of a job in hand that Redis no longer has. Lease and outcome are the store's, so nothing is amiss. */
const FORGOTTEN = /^(?:Missing (?:key|lock)|could not renew lock) for job /

/** Begins to take the messages of one consumer from its queue, as soon as Redis answers. */
export function createConsumerWorker(options: ConsumerWorkerOptions): ConsumerWorker {
  const { consumer, handler, connections, logger, inHand, signal } = options
  const warnOfOutcome = createCalmWarning({
    logger,
    message: 'The outcome of a delivery was not recorded; it comes again.',
  })
  const warnOfQueue = createCalmWarning({ logger, message: 'A queue reported an error.' })
  let stopping = false

  async function take(job: Job, token?: string): Promise<void> {
    if (stopping) {
      // Fetched just before; it is the next one for whoever asks.
      await job.moveToWait(token)
      throw new WaitingError()
    }
    const message = messageOf(job.data, consumer)
    if (!message) {
      logger.warn('A job that is no delivery was dropped from a queue.', { consumer })
      return
    }
    try {
      await handler(message, { signal })
    } catch (error) {
      warnOfOutcome(consumer, {
        consumer,
        deliveryId: message.deliveryId,
        error: describeThrown(error),
      })
    }
  }

  const worker = new SteadyWorker(
    consumer,
    (job, token) => {
      const taken = take(job, token).finally(() => inHand.delete(taken))
      inHand.add(taken)
      return taken
    },
    {
      connection: connections.worker(),
      prefix: hashTag(options.prefix, consumer),
      concurrency: options.concurrency,
      lockDuration: options.lockDurationMs,
      stalledInterval: options.stalledIntervalMs,
      maxStalledCount: options.maxStalledCount,
      // The check would write to the console, and keep a connection from becoming ready while Redis refuses INFO.
      skipVersionCheck: true,
    },
  )
  worker.on('error', (error) => {
    if (stopping || connections.watch.knows(error)) return
    if (FORGOTTEN.test(error.message)) {
      logger.debug('Redis no longer has a message that is in hand.', { consumer })
      return
    }
    warnOfQueue(consumer, { consumer, error: connections.hideSecrets(error.message) })
  })

  return {
    stop() {
      stopping = true
      worker.pause(true).catch(() => {})
      // Wakes the worker if it waits for a message, which it would otherwise still take.
      worker
        .getBackend()
        .disconnectBlocking(false)
        .catch(() => {})
    },
    close: () => worker.close(true),
  }
}
