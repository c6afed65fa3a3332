import type { AbortableOptions } from './abort.js'

/**
 * One attempt to have one consumer handle one event.
 *
 * It is a hint: the delivery's row in the store is the truth, and a bus that loses a message loses nothing,
 * because the relay sends every delivery again that is not done when its lease ends.
 */
export interface DeliveryMessage {
  readonly deliveryId: string
  readonly tenantId: string
  /** The queue, such as `run.completed.episodic`. */
  readonly consumer: string
  /** Deliveries of one consumer with the same key are never out at the same time. */
  readonly orderingKey: string
  /** Counts from 1. A queue can tell `<deliveryId>-<attempt>` from an earlier try. */
  readonly attempt: number
}

/** Handles one message. It records the outcome in the store itself; a rejection means that it could not. */
export type DeliveryHandler = (
  message: DeliveryMessage,
  options: { readonly signal: AbortSignal },
) => Promise<void>

/** How one consumer takes its messages. */
export interface SubscribeOptions {
  /** Messages handled at once in this process. Default 1. */
  readonly concurrency?: number
}

/**
 * Carries due deliveries from the relay to the handlers, in this process or through a queue.
 *
 * Delivery is at least once and in no order beyond what the relay sends. Retries, back-off and the dead-letter state
 * belong to the delivery's row and are deliberately not part of this port.
 */
export interface EventBus {
  /** Hands messages over. Resolves when the bus has taken them, not when they are handled. */
  publish(messages: readonly DeliveryMessage[], options?: AbortableOptions): Promise<void>
  /** Registers the one handler of a consumer in this process. */
  subscribe(consumer: string, handler: DeliveryHandler, options?: SubscribeOptions): Promise<void>
  /** Resolves when messages can be handed over and taken; rejects when at present they cannot. */
  ping(): Promise<void>
  /** Takes no further message, waits up to `drainMs` for those in hand, then aborts them. */
  close(options?: { readonly drainMs?: number }): Promise<void>
}
