import * as fc from 'fast-check'
import type { DeliveryMessage } from '../event-bus.js'
import { generateId } from '../ids.js'

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

/** Ordering keys of any kind that a store can hold: empty, long, in any script, with separators and quotes. */
export const orderingKeys: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
  { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  fc.string({ unit: 'grapheme', minLength: 500, maxLength: 2_000 }),
  fc.constantFrom('', ':', '0:1', '{a}:{b}', '"\\\n\r\t\u2028', 'null', '__proto__'),
)
