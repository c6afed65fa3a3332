import type { LoamEvent } from '@loam/core'

/**
 * Where a delivery stands. `sent` is with the bus and `running` with a handler, both under a lease; `dead` waits for a
 * person.
 */
export const DELIVERY_STATES = ['pending', 'sent', 'running', 'done', 'dead'] as const
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

/** An event as it is stored: another release may have written it, and this one be unable to read it. */
export type StoredEvent = Pick<
  LoamEvent,
  'id' | 'tenantId' | 'agentId' | 'userId' | 'occurredAt'
> & {
  readonly type: string
  readonly payload: unknown
}

/** A delivery with the event that it delivers. */
export interface Delivery extends Required<NewDelivery> {
  readonly tenantId: string
  readonly state: DeliveryState
  /** How often it was sent. No number comes twice, since a queue ignores an id that it has seen. */
  readonly attempt: number
  /** How often its work was begun since it was published or replayed; what was put off or interrupted does not count. */
  readonly tries: number
  readonly lastError: string | undefined
  readonly leaseUntil: Date | undefined
  readonly event: StoredEvent
}

/** The outbox, inside the transaction that causes the event. */
export interface OutboxStore {
  /** Writes the event and one delivery for each consumer. Nothing else is needed for them to be durable. */
  publish(event: LoamEvent, deliveries: readonly NewDelivery[]): Promise<void>
  /** Forgets up to `limit` events from before a moment whose deliveries are all done. Returns how many. */
  prune(before: Date, limit: number): Promise<number>
}

/** How many deliveries stand where, of one consumer. */
export interface DeliveryCount {
  readonly consumer: string
  readonly state: DeliveryState
  readonly count: number
}

/** Deliveries that wait after a failure, and what they wait for. */
export interface WaitingDeliveries {
  readonly consumer: string
  readonly reason: string
  readonly count: number
  /** When the first of them is tried again. */
  readonly nextAt: Date
}

/** The outbox, seen from the relay and the workers: all tenants, no text. */
export interface DeliveryQueue {
  /**
   * Sends up to `limit` deliveries that are due, and leases them until `now + leaseMs`. At most one of each ordering key is out
   * at a time; tenants take turns. A delivery whose lease has ended is due again. With `maxOut`, none is sent for the first
   * time, or tried again, while that many of these consumers' deliveries are out, those whose lease has ended among them.
   */
  claim(request: {
    readonly consumers: readonly string[]
    readonly now: Date
    readonly limit: number
    readonly leaseMs: number
    readonly maxOut?: number | undefined
  }): Promise<readonly Delivery[]>
  /**
   * Takes a sent attempt in hand and counts the try. Undefined when it is not the current one, or was begun before: so
   * whoever gets the delivery is the only one that works on it.
   */
  begin(delivery: DeliveryAttempt, leaseUntil: Date): Promise<Delivery | undefined>
  /** Keeps the lease of a running attempt. Returns false when the attempt is no longer the current one. */
  renew(delivery: DeliveryAttempt, leaseUntil: Date): Promise<boolean>
  /** Marks a running attempt done. Returns false when the attempt is no longer the current one. */
  complete(delivery: DeliveryAttempt): Promise<boolean>
  /** Records a running attempt that failed: due again at `retryAt`, or dead when that is undefined. */
  fail(
    delivery: DeliveryAttempt,
    outcome: { readonly error: string; readonly retryAt: Date | undefined },
  ): Promise<boolean>
  /**
   * Puts back a delivery that is out, without counting the try: one that the bus did not take, whose process is shutting
   * down, or that waits for a budget. Due again when it was before, or at `runAfter`.
   */
  release(
    delivery: DeliveryAttempt,
    wait?: { readonly runAfter: Date; readonly reason: string },
  ): Promise<boolean>
  find(tenantId: string, id: string): Promise<Delivery | undefined>
  /** When the next delivery of these consumers becomes due; undefined when none waits. */
  nextDueAt(consumers: readonly string[]): Promise<Date | undefined>
  /** Whether none of these consumers' deliveries is out, and none due. */
  areSettled(consumers: readonly string[], now: Date): Promise<boolean>
  /** Of one tenant, or (undefined) of all. */
  counts(tenantId?: string): Promise<readonly DeliveryCount[]>
  /** What the deliveries of a tenant that failed or were put off wait for; up to 20 reasons, those of most deliveries first. */
  waiting(tenantId: string): Promise<readonly WaitingDeliveries[]>
  /** Dead deliveries of a tenant, newest first, from before the one whose id is given. */
  listDead(
    tenantId: string,
    page: { readonly limit: number; readonly before?: string | undefined },
  ): Promise<readonly Delivery[]>
  /** Makes dead deliveries of a tenant due again, with all their tries: those named, a consumer's, or all. Returns how many. */
  replay(
    tenantId: string,
    which: { readonly ids?: readonly string[] | undefined; readonly consumer?: string | undefined },
    now: Date,
  ): Promise<number>
}

/** Names one attempt of one delivery. */
export interface DeliveryAttempt {
  readonly tenantId: string
  readonly id: string
  readonly attempt: number
}
