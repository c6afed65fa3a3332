import { generateId } from '@loam/core'
import type { Delivery, DeliveryAttempt, DeliveryQueue, NewDelivery } from '../outbox.js'
import type { Storage } from '../storage.js'
import { NOW, after, sampleEvent } from './samples.js'
import type { World } from './world.js'

/** How long what a test claims is leased. */
export const LEASE_MS = 30_000

/** A consumer that no other test uses, and the queue as it sees it. */
export function createConsumer(storage: Storage) {
  const consumer = `consumer-${generateId()}`
  const queue = <Result>(work: (deliveries: DeliveryQueue) => Promise<Result>) =>
    work(storage.system.deliveries)
  return {
    consumer,
    queue,
    claim: (now = NOW, limit = 10, maxOut?: number) =>
      queue((deliveries) =>
        deliveries.claim({ consumers: [consumer], now, limit, leaseMs: LEASE_MS, maxOut }),
      ),
    begin: (delivery: DeliveryAttempt, leaseUntil = after(LEASE_MS)) =>
      queue((deliveries) => deliveries.begin(delivery, leaseUntil)),
    nextDueAt: () => queue((deliveries) => deliveries.nextDueAt([consumer])),
    publish: async (
      world: World,
      orderingKey: string,
      more: Partial<NewDelivery> = {},
      userId = 'ada',
    ) => {
      const event = sampleEvent({ tenantId: world.tenantId, agentId: world.agentId, userId })
      const delivery = { id: generateId(), consumer, orderingKey, ...more }
      await world.as(userId, ({ outbox }) => outbox.publish(event, [delivery]))
      return { event, id: delivery.id }
    },
    find: (world: World, id: string) => queue((deliveries) => deliveries.find(world.tenantId, id)),
  }
}

/** The one delivery that there is. @throws Error when there is another number of them. */
export function only(deliveries: readonly Delivery[]): Delivery {
  const [delivery] = deliveries
  if (delivery === undefined || deliveries.length > 1) {
    throw new Error(`Expected one delivery and got ${deliveries.length}.`)
  }
  return delivery
}

/** Their ids, in order. */
export const ids = (deliveries: readonly Delivery[]) => deliveries.map(({ id }) => id)
