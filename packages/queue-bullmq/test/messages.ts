import { generateId, type DeliveryMessage } from '@loam/core'

/** A message with ids of its own. */
export function messageTo(consumer: string, more: Partial<DeliveryMessage> = {}): DeliveryMessage {
  const deliveryId = generateId()
  return {
    deliveryId,
    tenantId: generateId(),
    consumer,
    orderingKey: deliveryId,
    attempt: 1,
    ...more,
  }
}

/** For `vi.waitFor`: so long that only what never comes is missed. */
export const PATIENCE = { timeout: 45_000, interval: 10 }
