import {
  InvalidInputError,
  LoamError,
  silentLogger,
  systemClock,
  type Clock,
  type DeliveryHandler,
  type DeliveryMessage,
  type Logger,
} from '@loam/core'
import type { EventHandler } from '@loam/consolidation'
import type { Delivery, DeliveryAttempt, DeliveryQueue, Storage } from '@loam/storage'
import { headOf, redact } from '@loam/text'
import { DEFAULT_LEASE_MS } from './relay.js'
import { MAX_UNFINISHED_ATTEMPTS, retryDelayMs } from './retry-policy.js'

/** What the handling of deliveries works with. */
export interface DeliveryHandlerOptions {
  readonly storage: Pick<Storage, 'system'>
  /** What each consumer does, by its name. */
  readonly handlers: Readonly<Record<string, EventHandler>>
  /** Told whenever an attempt has ended, since the next of its ordering key may be due. */
  readonly onSettled?: (() => void) | undefined
  /** Default: the machine's clock. */
  readonly clock?: Clock | undefined
  /** Default: silent. */
  readonly logger?: Logger | undefined
  /** Renewed three times within its length while the work goes on. Default 30 s. */
  readonly leaseMs?: number | undefined
  /** For the jitter of retries. Default: `Math.random`. */
  readonly random?: (() => number) | undefined
}

const MAX_ERROR_LENGTH = 500

/**
 * Makes the handler that a bus calls for every consumer: it loads the delivery, does the consumer's work under a lease,
 * and records how it ended.
 *
 * A message is only a hint. If its attempt is not the current one, because it came twice or too late, nothing is done.
 */
export function createDeliveryHandler(options: DeliveryHandlerOptions): DeliveryHandler {
  const {
    storage,
    handlers,
    onSettled = () => {},
    clock = systemClock,
    logger = silentLogger,
    leaseMs = DEFAULT_LEASE_MS,
    random = Math.random,
  } = options

  function queue<Result>(work: (deliveries: DeliveryQueue) => Promise<Result>): Promise<Result> {
    return storage.system((stores) => work(stores.deliveries))
  }
  const leaseEnd = (): Date => new Date(clock.now().getTime() + leaseMs)

  /** Does the work while the lease is kept, and rejects as the work does. */
  async function underLease(
    delivery: Delivery,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const lost = new AbortController()
    const renew = async (): Promise<void> => {
      try {
        const kept = await queue((deliveries) => deliveries.renew(attemptOf(delivery), leaseEnd()))
        if (!kept) lost.abort(new LeaseLost())
      } catch (error) {
        logger.warn('A lease was not renewed.', { deliveryId: delivery.id, error: String(error) })
      }
    }
    const renewal = setInterval(() => void renew(), leaseMs / 3)
    try {
      await work(AbortSignal.any([signal, lost.signal]))
    } catch (error) {
      throw lost.signal.aborted ? lost.signal.reason : error
    } finally {
      clearInterval(renewal)
    }
  }

  async function recordFailure(delivery: Delivery, error: unknown): Promise<void> {
    const { id: deliveryId, consumer, attempt } = delivery
    const delayMs = retryDelayMs(error, attempt, random)
    const fields = { consumer, deliveryId, attempt, error: describe(error) }
    if (delayMs === undefined)
      logger.error('A delivery is dead; replay it when its cause is gone.', fields)
    else logger.warn('A delivery failed and will be tried again.', { ...fields, delayMs })
    const retryAt = delayMs === undefined ? undefined : new Date(clock.now().getTime() + delayMs)
    await queue((deliveries) =>
      deliveries.fail(attemptOf(delivery), { error: fields.error, retryAt }),
    )
  }

  /** Due again at once. Counted, since a queue would not take a second message for the same attempt. */
  async function recordInterruption(delivery: Delivery): Promise<void> {
    await queue((deliveries) =>
      deliveries.fail(attemptOf(delivery), {
        error: 'The process was shut down meanwhile.',
        retryAt: clock.now(),
      }),
    )
  }

  async function handle(message: DeliveryMessage, signal: AbortSignal): Promise<void> {
    const delivery = await queue((deliveries) =>
      deliveries.find(message.tenantId, message.deliveryId),
    )
    if (!delivery || delivery.state !== 'sent' || delivery.attempt !== message.attempt) return
    if (!(await queue((deliveries) => deliveries.renew(attemptOf(delivery), leaseEnd())))) return
    try {
      await underLease(delivery, signal, (either) => doWork(delivery, either))
    } catch (error) {
      if (error instanceof LeaseLost) return
      if (signal.aborted) await recordInterruption(delivery)
      else await recordFailure(delivery, error)
      return
    }
    await queue((deliveries) => deliveries.complete(attemptOf(delivery), clock.now()))
  }

  async function doWork(delivery: Delivery, signal: AbortSignal): Promise<void> {
    const { event, consumer, tenantId, attempt } = delivery
    if (attempt > MAX_UNFINISHED_ATTEMPTS) {
      throw new InvalidInputError({
        message: `The work was begun ${attempt - 1} times and never ended. See what kills its process, then replay it.`,
      })
    }
    const handler = handlers[consumer]
    if (!handler) {
      throw new InvalidInputError({ message: `This release has no consumer ${consumer}.` })
    }
    if (event.tenantId !== tenantId) {
      throw new InvalidInputError({
        message: `Event ${event.id} belongs to another tenant than its delivery.`,
      })
    }
    await handler(event, { signal, jobId: delivery.id })
  }

  return async (message, { signal }) => {
    try {
      await handle(message, signal)
    } finally {
      onSettled()
    }
  }
}

/** Another process has the delivery now, and records how it ends. */
class LeaseLost extends Error {}

function attemptOf({ tenantId, id, attempt }: Delivery): DeliveryAttempt {
  return { tenantId, id, attempt }
}

/** What is kept of an error: no secrets, and not more than a line or two. */
function describe(error: unknown): string {
  const text = LoamError.isInstance(error) ? `${error.code}: ${error.message}` : String(error)
  return headOf(redact(headOf(text, 4 * MAX_ERROR_LENGTH)).text, MAX_ERROR_LENGTH)
}
