import type { EventOf, EventType, GenerateId, LoamEvent } from '@loam/core'
import type { NewDelivery } from '@loam/storage'
import type { ConsolidationSettings } from './settings.js'

/** The consumer that makes episodes; also the name of its queue. */
export const EPISODIC_CONSUMER = 'run.completed.episodic'

/** What decides when a consumer may begin. */
export interface RoutingFacts {
  readonly settings: ConsolidationSettings
  /** Whether the run brings a summary of the client's own. Default false. */
  readonly compacted?: boolean | undefined
}

/** One consumer's interest in one type of event. */
export interface Subscription<Event extends LoamEvent = LoamEvent> {
  readonly consumer: string
  readonly eventType: EventType
  /** Deliveries with the same key are handled one after the other. */
  orderingKey(event: Event): string
  /** How long the delivery waits before it is due. */
  delayMs(facts: RoutingFacts): number
}

const episodic: Subscription<EventOf<'run.completed'>> = {
  consumer: EPISODIC_CONSUMER,
  eventType: 'run.completed',
  orderingKey: (event) => event.payload.sessionId,
  // A compaction is the end of a stretch by itself.
  delayMs: ({ settings, compacted = false }) => (compacted ? 0 : settings.idleSeconds * 1_000),
}

const episodicAgain: Subscription<EventOf<'episode.withdrawn'>> = {
  consumer: EPISODIC_CONSUMER,
  eventType: 'episode.withdrawn',
  orderingKey: (event) => event.payload.sessionId,
  delayMs: () => 0,
}

/** Which consumers of this package take which events; read by whoever publishes an event. */
export const subscriptions: readonly Subscription[] = [episodic, episodicAgain]

/** One delivery for each subscribed consumer of the event. */
export function deliveriesFor(
  event: LoamEvent,
  facts: RoutingFacts,
  { now, generateId }: { readonly now: Date; readonly generateId: GenerateId },
): NewDelivery[] {
  return subscriptions
    .filter(({ eventType }) => eventType === event.type)
    .map((subscription) => ({
      id: generateId(),
      consumer: subscription.consumer,
      orderingKey: subscription.orderingKey(event),
      runAfter: new Date(now.getTime() + subscription.delayMs(facts)),
    }))
}
