import { setMaxListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import {
  createOutageLog,
  silentLogger,
  systemClock,
  type Clock,
  type DeliveryMessage,
  type EventBus,
  type Logger,
} from '@loam/core'
import type { Delivery, Storage } from '@loam/storage'
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
  /**
   * Most deliveries of a consumer that are out at once, in all processes together. A queue that is kept short lets tenants
   * take turns, and its messages are handled before their lease ends. Default: no bound, for a bus that holds the relay
   * back by itself.
   */
  readonly maxOut?: number | undefined
  /** How long a delivery is the bus's before it is due again; handlers renew it. Default 30 s. */
  readonly leaseMs?: number | undefined
  /**
   * Shortest time between two looks of which the first did not find all that it could take, so that what becomes due in
   * quick succession is taken together. Default none.
   */
  readonly lookGapMs?: number | undefined
  /** Longest time between two looks at the store. Default 1 s. */
  readonly pollMs?: number | undefined
}

/** Hands due deliveries from the store to the bus. */
export interface Relay {
  /** Begins. */
  start(): void
  /**
   * Says that a delivery (of one consumer, or of any) may be due now: one was published, or one was done and lets the next
   * of its ordering key pass.
   */
  nudge(consumer?: string): void
  /** Ends, and gives back what the bus did not take. */
  close(): Promise<void>
}

const DEFAULT_BATCH_SIZE = 10
/** Default of `leaseMs`; the handlers of the deliveries use the same. */
export const DEFAULT_LEASE_MS = 30_000
const DEFAULT_POLL_MS = 1_000
const OVERTAKEN_MS = 25
const MAX_BACK_OFF_MS = 5_000

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
    maxOut,
    leaseMs = DEFAULT_LEASE_MS,
    lookGapMs = 0,
    pollMs = DEFAULT_POLL_MS,
  } = options
  const { deliveries } = storage.system
  const closing = new AbortController()
  // Every message that is being handed over listens, and Node would take so many for a leak.
  setMaxListeners(0, closing.signal)
  const nudges = new Map(consumers.map((consumer) => [consumer, createSignal()]))
  const outage = createOutageLog({
    logger,
    lost: 'Deliveries wait, since the store or the bus does not answer; trying again.',
    back: 'Deliveries are handed over again.',
  })
  let loops: Promise<void>[] | undefined

  async function loop(consumer: string): Promise<void> {
    // Leases that an earlier process took end before this; leases taken here end later.
    const earlierLeasesEnd = clock.now().getTime() + leaseMs
    let recovering = exclusive
    let failures = 0
    let emptyLooks = 0
    while (!closing.signal.aborted) {
      try {
        // Asked before anything is taken that would only have to be given back.
        if (failures > 0) await bus.ping()
        const now = clock.now().getTime()
        const claimed = await deliveries.claim({
          consumers: [consumer],
          now: new Date(recovering ? Math.max(now, earlierLeasesEnd) : now),
          limit: batchSize,
          leaseMs,
          maxOut,
        })
        await handOver(claimed)
        const isFull = claimed.length === batchSize
        recovering &&= isFull
        failures = 0
        outage.worked(consumer)
        emptyLooks = claimed.length === 0 ? emptyLooks + 1 : 0
        if (isFull) continue
        await rest(consumer, emptyLooks)
        await pause(lookGapMs - (clock.now().getTime() - now))
      } catch (error) {
        if (closing.signal.aborted) return
        failures += 1
        outage.failed(consumer, error)
        await pause(Math.min(MAX_BACK_OFF_MS, 250 * 2 ** Math.min(failures, 10)))
      }
    }
  }

  /** Gives back what the bus does not take, and rejects as the bus did. */
  async function handOver(claimed: readonly Delivery[]): Promise<void> {
    const outcomes = await Promise.allSettled(
      claimed.map(async (delivery) => {
        try {
          await bus.publish([messageOf(delivery)], { signal: closing.signal })
        } catch (error) {
          await deliveries.release(delivery)
          throw error
        }
      }),
    )
    const failure = outcomes.find(({ status }) => status === 'rejected')
    if (failure?.status === 'rejected' && !closing.signal.aborted) throw failure.reason
  }

  /** Until something is due, a nudge, or the next look. */
  async function rest(consumer: string, emptyLooks: number): Promise<void> {
    const due = await deliveries.nextDueAt([consumer])
    const wait = due ? due.getTime() - clock.now().getTime() : pollMs
    // What is due and was not taken waits for another relay that was taking at that moment, or for a place among those out.
    const retake = OVERTAKEN_MS * 2 ** Math.min(emptyLooks, 10)
    await nudges.get(consumer)?.wait(Math.min(pollMs, Math.max(wait, retake)))
  }

  async function pause(milliseconds: number): Promise<void> {
    if (milliseconds <= 0) return
    await delay(milliseconds, undefined, { signal: closing.signal }).catch(() => {})
  }

  const nudge = (consumer?: string): void => {
    if (consumer !== undefined) nudges.get(consumer)?.raise()
    else for (const signal of nudges.values()) signal.raise()
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
