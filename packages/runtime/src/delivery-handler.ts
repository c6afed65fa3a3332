import {
  InvalidInputError,
  ModelError,
  createOutageLog,
  describeThrown,
  eventSchema,
  silentLogger,
  systemClock,
  type Clock,
  type DeliveryHandler,
  type DeliveryMessage,
  type LoamEvent,
  type Logger,
} from '@loam/core'
import type { EventHandler } from '@loam/consolidation'
import type { Delivery, Storage, StoredEvent } from '@loam/storage'
import { headOf, redact } from '@loam/text'
import { DEFAULT_LEASE_MS } from './relay.js'
import { MAX_UNFINISHED_TRIES, nextStep } from './retry-policy.js'

/** What the handling of deliveries works with. */
export interface DeliveryHandlerOptions {
  readonly storage: Pick<Storage, 'system'>
  /** What each consumer does, by its name. */
  readonly handlers: Readonly<Record<string, EventHandler>>
  /** Told whenever an attempt of a consumer has ended, since the next of its ordering key may be due. */
  readonly onSettled?: ((consumer: string) => void) | undefined
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
 * A message is only a hint. If its attempt is not the current one or was begun before, because it came twice or too late,
 * nothing is done.
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

  const { deliveries } = storage.system
  const renewals = createOutageLog({
    logger,
    lost: 'A lease was not renewed.',
    back: 'Leases are renewed again.',
  })
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
        const kept = await deliveries.renew(delivery, leaseEnd())
        renewals.worked('store')
        if (!kept) lost.abort(new LeaseLost())
      } catch (error) {
        renewals.failed('store', error, { deliveryId: delivery.id })
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
    const { id: deliveryId, consumer, tries } = delivery
    const next = nextStep(error, tries, random)
    const reason = describe(error)
    const fields = { consumer, deliveryId, tries, error: reason }
    if (next.step === 'die') {
      logger.error('A delivery is dead; replay it when its cause is gone.', fields)
    } else {
      // That a model is away is said once, by whoever calls it.
      const level = ModelError.isInstance(error) ? 'debug' : next.step === 'defer' ? 'info' : 'warn'
      const what = next.step === 'defer' ? 'is put off' : 'failed and will be tried again'
      logger[level](`A delivery ${what}.`, { ...fields, delayMs: next.delayMs })
    }
    if (next.step === 'die') {
      await deliveries.fail(delivery, { error: reason, retryAt: undefined })
      return
    }
    const at = new Date(clock.now().getTime() + next.delayMs)
    if (next.step === 'defer') await deliveries.release(delivery, { runAfter: at, reason })
    else await deliveries.fail(delivery, { error: reason, retryAt: at })
  }

  async function handle(message: DeliveryMessage, signal: AbortSignal): Promise<void> {
    const { tenantId, deliveryId: id, attempt } = message
    const delivery = await deliveries.begin({ tenantId, id, attempt }, leaseEnd())
    if (!delivery) return
    try {
      await underLease(delivery, signal, (either) => doWork(delivery, either))
    } catch (error) {
      if (error instanceof LeaseLost) return
      if (!signal.aborted) await recordFailure(delivery, error)
      // Interrupted by a shutdown: due again at once.
      else await deliveries.release(delivery)
      return
    }
    await deliveries.complete(delivery)
  }

  async function doWork(delivery: Delivery, signal: AbortSignal): Promise<void> {
    const { event, consumer, tenantId, tries } = delivery
    if (tries > MAX_UNFINISHED_TRIES) {
      throw new InvalidInputError({
        message: `The work was begun ${tries - 1} times and never ended. See what kills its process, then replay it.`,
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
    await handler(readEvent(event), { signal, jobId: delivery.id })
  }

  return async (message, { signal }) => {
    try {
      await handle(message, signal)
    } finally {
      onSettled(message.consumer)
    }
  }
}

/** A release that can read it may be there soon, so this is no final failure. */
function readEvent(event: StoredEvent): LoamEvent {
  const read = eventSchema.safeParse(event)
  if (read.success) return read.data
  throw new TypeError(
    `This release cannot read event ${event.id} (${event.type}). If a newer one wrote it, let that one handle it; then replay it.`,
  )
}

/** Another process has the delivery now, and records how it ends. */
class LeaseLost extends Error {}

/** What is kept of an error: no secrets, and not more than a line or two. */
function describe(error: unknown): string {
  return headOf(redact(headOf(describeThrown(error), 4 * MAX_ERROR_LENGTH)).text, MAX_ERROR_LENGTH)
}
