import { setTimeout as delay } from 'node:timers/promises'
import {
  silentLogger,
  systemClock,
  type Clock,
  type DeliveryMessage,
  type EventBus,
  type Logger,
} from '@loam/core'
import type { Delivery, DeliveryQueue, Storage } from '@loam/storage'
import { createSignal } from './signal.js'

/** What a relay works with. */
export interface RelayOptions {
  readonly storage: Pick<Storage, 'system'>
  readonly bus: EventBus
  /** Whose deliveries it hands over. */
  readonly consumers: readonly string[]
  /**
   * Whether no other process can be handling deliveries of this store, so that all that are out at the start were lost
   * with an earlier process and are due at once. Default false: their leases have to end first.
   */
  readonly exclusive?: boolean | undefined
  /** Default: the machine's clock. */
  readonly clock?: Clock | undefined
  /** Default: silent. */
  readonly logger?: Logger | undefined
  /** Deliveries taken from the store at once, for each consumer. Default 10. */
  readonly batchSize?: number | undefined
  /** How long a delivery is the bus's before it is due again; handlers renew it. Default 30 s. */
  readonly leaseMs?: number | undefined
  /** Longest time between two looks at the store. Default 1 s. */
  readonly pollMs?: number | undefined
}

/** Hands due deliveries from the store to the bus. */
export interface Relay {
  /** Begins. */
  start(): void
  /** Says that a delivery may be due now: one was published, or one was done and lets the next of its ordering key pass. */
  nudge(): void
  /** Ends, and gives back what the bus did not take. */
  close(): Promise<void>
}

const DEFAULT_BATCH_SIZE = 10
/** Default of `leaseMs`; the handlers of the deliveries use the same. */
export const DEFAULT_LEASE_MS = 30_000
const DEFAULT_POLL_MS = 1_000
const OVERTAKEN_MS = 50
const MAX_BACK_OFF_MS = 30_000

/** Makes a relay. Each consumer has a loop of its own, so that a slow one holds up no other. */
export function createRelay(options: RelayOptions): Relay {
  const {
    storage,
    bus,
    consumers,
    exclusive = false,
    clock = systemClock,
    logger = silentLogger,
    batchSize = DEFAULT_BATCH_SIZE,
    leaseMs = DEFAULT_LEASE_MS,
    pollMs = DEFAULT_POLL_MS,
  } = options
  const closing = new AbortController()
  const nudges = new Map(consumers.map((consumer) => [consumer, createSignal()]))
  let loops: Promise<void>[] | undefined

  async function loop(consumer: string): Promise<void> {
    // Leases that an earlier process took end before this; leases taken here end later.
    const earlierLeasesEnd = clock.now().getTime() + leaseMs
    let recovering = exclusive
    let failures = 0
    while (!closing.signal.aborted) {
      try {
        const now = clock.now().getTime()
        const claimed = await queue((deliveries) =>
          deliveries.claim({
            consumers: [consumer],
            now: new Date(recovering ? Math.max(now, earlierLeasesEnd) : now),
            limit: batchSize,
            leaseMs,
          }),
        )
        await Promise.all(claimed.map(handOver))
        recovering &&= claimed.length === batchSize
        failures = 0
        if (claimed.length === 0) await rest(consumer)
      } catch (error) {
        if (closing.signal.aborted) return
        failures += 1
        logger.warn('Deliveries could not be taken from the store; trying again.', {
          consumer,
          failures,
          error: String(error),
        })
        await pause(Math.min(MAX_BACK_OFF_MS, 250 * 2 ** Math.min(failures, 10)))
      }
    }
  }

  function queue<Result>(work: (deliveries: DeliveryQueue) => Promise<Result>): Promise<Result> {
    return storage.system((stores) => work(stores.deliveries))
  }

  async function handOver(delivery: Delivery): Promise<void> {
    try {
      await bus.publish([messageOf(delivery)], { signal: closing.signal })
    } catch (error) {
      if (!closing.signal.aborted) {
        logger.warn('The bus did not take a delivery; it comes again.', {
          consumer: delivery.consumer,
          deliveryId: delivery.id,
          error: String(error),
        })
      }
      await queue((deliveries) => deliveries.release(delivery))
      if (!closing.signal.aborted) throw error
    }
  }

  /** Until something is due, a nudge, or the next look. */
  async function rest(consumer: string): Promise<void> {
    const due = await queue((deliveries) => deliveries.nextDueAt([consumer]))
    const wait = due ? due.getTime() - clock.now().getTime() : pollMs
    // What is due and was not taken was passed over because another relay was taking at that moment.
    await nudges.get(consumer)?.wait(Math.min(pollMs, Math.max(wait, OVERTAKEN_MS)))
  }

  async function pause(milliseconds: number): Promise<void> {
    await delay(milliseconds, undefined, { signal: closing.signal }).catch(() => {})
  }

  const nudge = (): void => {
    for (const signal of nudges.values()) signal.raise()
  }

  return {
    start() {
      if (closing.signal.aborted) return
      loops ??= consumers.map(loop)
    },
    nudge,
    async close() {
      closing.abort(new Error('The relay is closed.'))
      nudge()
      await Promise.all(loops ?? [])
    },
  }
}

function messageOf({ id, tenantId, consumer, orderingKey, attempt }: Delivery): DeliveryMessage {
  return { deliveryId: id, tenantId, consumer, orderingKey, attempt }
}
