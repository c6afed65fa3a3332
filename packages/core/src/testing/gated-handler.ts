import type { DeliveryHandler, DeliveryMessage } from '../event-bus.js'

/** A handler whose messages end when the test says so, or when they are aborted. */
export interface GatedHandler {
  readonly handler: DeliveryHandler
  /** Ids of the deliveries that were begun, in order. */
  readonly begun: readonly string[]
  /** Ids of those that ended by the signal. */
  readonly aborted: readonly string[]
  /** Most that were in hand at once. */
  readonly mostAtOnce: number
  /** Lets a message that was begun end. */
  finish(deliveryId: string): void
}

/** Makes a handler that holds every message back until it is told to finish it. */
export function createGatedHandler(): GatedHandler {
  const begun: string[] = []
  const aborted: string[] = []
  const gates = new Map<string, () => void>()
  let inHand = 0
  let mostAtOnce = 0

  async function handler(
    { deliveryId }: DeliveryMessage,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<void> {
    begun.push(deliveryId)
    inHand += 1
    mostAtOnce = Math.max(mostAtOnce, inHand)
    await new Promise<void>((resolve) => {
      gates.set(deliveryId, resolve)
      signal.addEventListener('abort', () => {
        aborted.push(deliveryId)
        resolve()
      })
    })
    inHand -= 1
  }

  return {
    handler,
    begun,
    aborted,
    get mostAtOnce() {
      return mostAtOnce
    },
    finish(deliveryId) {
      const open = gates.get(deliveryId)
      if (!open) throw new Error(`${deliveryId} was not begun.`)
      open()
    },
  }
}
