import { setMaxListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import {
  createCalmWarning,
  describeThrown,
  silentLogger,
  type DeliveryHandler,
  type DeliveryMessage,
  type EventBus,
  type Logger,
} from '@loam/core'

/** What an inline bus works with. */
export interface InlineBusOptions {
  /** Default: silent. */
  readonly logger?: Logger | undefined
}

const DEFAULT_DRAIN_MS = 10_000
/** After this long an aborted handler is left behind; its delivery's lease ends by itself. */
const ABORT_GRACE_MS = 2_000

interface Consumer {
  readonly handler: DeliveryHandler
  free: number
  /** Resumes those that wait for a free place, in order. */
  readonly waiting: Set<() => void>
}

/**
 * A bus without a queue: messages are handled in this process.
 *
 * A message counts as taken when its handler begins, so whoever publishes is held back to the pace of the handlers.
 * `publish` rejects when the signal or `close` comes first; then the message was not taken.
 */
export function createInlineBus({ logger = silentLogger }: InlineBusOptions = {}): EventBus {
  const consumers = new Map<string, Consumer>()
  const inHand = new Set<Promise<void>>()
  const warnOfOutcome = createCalmWarning({
    logger,
    message: 'The outcome of a delivery was not recorded; it comes again.',
  })
  const closing = new AbortController()
  const work = new AbortController()
  // Every message in hand listens to them.
  setMaxListeners(0, closing.signal, work.signal)

  async function take(message: DeliveryMessage, signal: AbortSignal): Promise<void> {
    const consumer = consumers.get(message.consumer)
    if (!consumer) {
      throw new Error(`No handler is subscribed to ${message.consumer} in this process.`)
    }
    signal.throwIfAborted()
    if (consumer.free === 0) await turn(consumer, signal)
    else consumer.free -= 1
    const handled = handle(consumer, message).finally(() => {
      inHand.delete(handled)
    })
    inHand.add(handled)
  }

  async function handle(consumer: Consumer, message: DeliveryMessage): Promise<void> {
    try {
      await consumer.handler(message, { signal: work.signal })
    } catch (error) {
      warnOfOutcome(message.consumer, {
        consumer: message.consumer,
        deliveryId: message.deliveryId,
        error: describeThrown(error),
      })
    } finally {
      const [next] = consumer.waiting
      if (next) next()
      else consumer.free += 1
    }
  }

  return {
    async publish(messages, { signal } = {}) {
      const either = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal
      for (const message of messages) await take(message, either)
    },
    async subscribe(consumer, handler, { concurrency = 1 } = {}) {
      if (consumers.has(consumer)) {
        throw new Error(`${consumer} has a handler in this process already.`)
      }
      consumers.set(consumer, { handler, free: concurrency, waiting: new Set() })
    },
    async ping() {
      closing.signal.throwIfAborted()
    },
    async close({ drainMs = DEFAULT_DRAIN_MS } = {}) {
      closing.abort(new Error('The bus is closed.'))
      await settled(inHand, drainMs)
      if (inHand.size === 0) return
      work.abort(new Error('The process is shutting down.'))
      await settled(inHand, ABORT_GRACE_MS)
    },
  }
}

/** Waits for a place that another message leaves, which is then this one's. */
function turn(consumer: Consumer, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      consumer.waiting.delete(resume)
      reject(signal.reason as Error)
    }
    const resume = (): void => {
      consumer.waiting.delete(resume)
      signal.removeEventListener('abort', abort)
      resolve()
    }
    consumer.waiting.add(resume)
    signal.addEventListener('abort', abort, { once: true })
  })
}

async function settled(work: ReadonlySet<Promise<void>>, withinMs: number): Promise<void> {
  const timer = new AbortController()
  await Promise.race([
    Promise.allSettled(work),
    delay(withinMs, undefined, { signal: timer.signal }).catch(() => {}),
  ])
  timer.abort()
}
