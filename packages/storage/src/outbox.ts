import type { LoamEvent } from '@loam/core'

/** Where a delivery stands. `sent` is with the bus, under a lease; `dead` waits for a person. */
export const DELIVERY_STATES = ['pending', 'sent', 'done', 'dead'] as const
/** See `DELIVERY_STATES`. */
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** One consumer's share of an event. */
export interface NewDelivery {
  readonly id: string
  readonly consumer: string
  /** Deliveries of one consumer and tenant with the same key are never out at the same time. */
  readonly orderingKey: string
  /** Not sent before. Default: at once. */
  readonly runAfter?: Date | undefined
}

/** A delivery with the event that it delivers. */
export interface Delivery extends Required<NewDelivery> {
  readonly tenantId: string
  readonly state: DeliveryState
  /** How often it was sent. */
  readonly attempt: number
  readonly lastError: string | undefined
  readonly leaseUntil: Date | undefined
  readonly event: LoamEvent
}

/** The outbox, inside the transaction that causes the event. */
export interface OutboxStore {
  /** Writes the event and one delivery for each consumer. Nothing else is needed for them to be durable. */
  publish(event: LoamEvent, deliveries: readonly NewDelivery[]): Promise<void>
}

/** How many deliveries stand where, of one consumer. */
export interface DeliveryCount {
  readonly consumer: string
  readonly state: DeliveryState
  readonly count: number
}

/** The outbox, seen from the relay and the workers: all tenants, no text. */
export interface DeliveryQueue {
  /**
   * Takes up to `limit` deliveries that are due, counts the attempt, and leases them until `now + leaseMs`. At most one of each
   * ordering key is out at a time; tenants take turns. A delivery whose lease has ended is due again.
   */
  claim(request: {
    readonly consumers: readonly string[]
    readonly now: Date
    readonly limit: number
    readonly leaseMs: number
  }): Promise<readonly Delivery[]>
  find(tenantId: string, id: string): Promise<Delivery | undefined>
  /** Keeps the lease of an attempt in hand. Returns false when the attempt is no longer the current one. */
  renew(delivery: DeliveryAttempt, leaseUntil: Date): Promise<boolean>
  /** Marks the attempt done. Returns false when the attempt is no longer the current one. */
  complete(delivery: DeliveryAttempt, now: Date): Promise<boolean>
  /** Records a failed attempt: due again at `retryAt`, or dead when that is undefined. */
  fail(
    delivery: DeliveryAttempt,
    outcome: { readonly error: string; readonly retryAt: Date | undefined },
  ): Promise<boolean>
  /** Puts a delivery back that was claimed and not handled, as at a shutdown; the attempt does not count. */
  release(delivery: DeliveryAttempt): Promise<boolean>
  /** When the next delivery of these consumers becomes due; undefined when none waits. */
  nextDueAt(consumers: readonly string[]): Promise<Date | undefined>
  /** Of one tenant, or (undefined) of all. */
  counts(tenantId?: string): Promise<readonly DeliveryCount[]>
  /** Newest first. */
  listDead(limit: number): Promise<readonly Delivery[]>
  /** Makes a dead delivery due again. Returns whether there was one. */
  replay(tenantId: string, id: string, now: Date): Promise<boolean>
}

/** Names one attempt of one delivery. */
export interface DeliveryAttempt {
  readonly tenantId: string
  readonly id: string
  readonly attempt: number
}
