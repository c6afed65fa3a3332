import { setMaxListeners } from 'node:events'
import { ConfigurationError, InvalidInputError, type EventBus } from '@loam/core'
import { readBusOptions, type BullmqBusOptions } from './bus-options.js'
import { createConsumerWorker, type ConsumerWorker } from './consumer-worker.js'
import { isQueueName } from './delivery-job.js'
import { createPublisher } from './publisher.js'
import { createRedisConnections } from './redis-connections.js'
import { settlesWithin } from './time-limit.js'

const DEFAULT_DRAIN_MS = 10_000
/** After this long an aborted handler is left behind; its delivery's lease ends by itself. */
const ABORT_GRACE_MS = 2_000
/** How long Redis may take to hear how the last messages ended; else it finds out when their locks end. */
const FAREWELL_MS = 1_000

/**
 * Makes a bus that carries messages through BullMQ on Redis: one queue per consumer, any number of processes on both ends.
 *
 * It connects when it is first used, and again by itself whenever Redis was away. Redis may lose what it holds: a message
 * is a hint, and the delivery's row in the store the truth.
 *
 * @example
 * const bus = createBullmqBus({ url: 'redis://127.0.0.1:6379' })
 * await bus.subscribe('run.completed.episodic', async ({ deliveryId }) => console.log(deliveryId))
 *
 * @throws ConfigurationError if the options are not right.
 */
export function createBullmqBus(options: BullmqBusOptions): EventBus {
  const { address, publishTimeoutMs, ...settings } = readBusOptions(options)
  const connections = createRedisConnections(address, settings)
  const publisher = createPublisher({
    connections,
    prefix: settings.prefix,
    timeoutMs: publishTimeoutMs,
  })
  const workers = new Map<string, ConsumerWorker>()
  const inHand = new Set<Promise<void>>()
  const closing = new AbortController()
  const work = new AbortController()
  // Everything that waits listens, and Node would take so many for a leak.
  for (const { signal } of [closing, work]) setMaxListeners(0, signal)
  let closed: Promise<void> | undefined

  async function end(drainMs: number): Promise<void> {
    closing.abort(new Error('The bus is closed.'))
    connections.watch.stop()
    const all = [...workers.values()]
    for (const worker of all) worker.stop()
    await settlesWithin(Promise.allSettled(inHand), drainMs)
    if (inHand.size > 0) {
      work.abort(new Error('The process is shutting down.'))
      await settlesWithin(Promise.allSettled(inHand), ABORT_GRACE_MS)
    }
    await connections.settleWorkers(FAREWELL_MS)
    await settlesWithin(Promise.allSettled(all.map((worker) => worker.close())), FAREWELL_MS)
    connections.close()
  }

  return {
    publish: (messages, { signal } = {}) =>
      publisher.publish(messages, { signals: [...(signal ? [signal] : []), closing.signal] }),
    async subscribe(consumer, handler, { concurrency = 1 } = {}) {
      closing.signal.throwIfAborted()
      checkSubscription(consumer, concurrency)
      if (workers.has(consumer)) {
        throw new Error(`${consumer} has a handler in this process already.`)
      }
      const worker = createConsumerWorker({
        ...settings,
        consumer,
        handler,
        concurrency,
        connections,
        inHand,
        signal: work.signal,
      })
      workers.set(consumer, worker)
    },
    ping: () => publisher.ping({ signals: [closing.signal] }),
    close: ({ drainMs = DEFAULT_DRAIN_MS } = {}) => (closed ??= end(drainMs)),
  }
}

function checkSubscription(consumer: string, concurrency: number): void {
  if (!isQueueName(consumer)) {
    throw new InvalidInputError({
      message: `"${consumer}" cannot name a queue. Use letters, digits, dots, dashes and underscores.`,
    })
  }
  if (Number.isSafeInteger(concurrency) && concurrency >= 1) return
  const message = `A concurrency of ${concurrency} handles nothing. Give a whole number from 1 on.`
  throw new ConfigurationError({ message, issues: [{ path: 'concurrency', message }] })
}
