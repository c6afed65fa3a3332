import { describe, expect, it, vi } from 'vitest'
import type { EventBusCapabilities, OpenBus } from './describe-event-bus.js'
import { messageTo } from './delivery-messages.js'
import { PATIENCE } from './patience.js'

/** Handing over: what is taken, what is refused. */
export function describePublishing(
  openBus: OpenBus,
  { keepsMessagesForLater }: EventBusCapabilities,
): void {
  describe('publish', () => {
    it('takes no messages without a word', async () => {
      const bus = await openBus()
      await expect(bus.publish([])).resolves.toBeUndefined()
    })

    it('rejects with the reason of a signal that is aborted, and takes nothing', async () => {
      const bus = await openBus()
      const handled: string[] = []
      await bus.subscribe('a', async ({ deliveryId }) => void handled.push(deliveryId))
      const reason = new Error('enough')
      const refused = bus.publish([messageTo('a')], { signal: AbortSignal.abort(reason) })
      await expect(refused).rejects.toBe(reason)
      const next = messageTo('a')
      await bus.publish([next])
      await vi.waitFor(() => expect(handled).toEqual([next.deliveryId]), PATIENCE)
    })

    it('leaves no listener on the signal', async () => {
      const bus = await openBus()
      await bus.subscribe('a', async () => {})
      const aborting = new AbortController()
      await bus.publish([messageTo('a')], { signal: aborting.signal })
      aborting.abort(new Error('later'))
      await expect(bus.publish([messageTo('a')])).resolves.toBeUndefined()
    })

    const withoutSubscriber = keepsMessagesForLater ? itKeepsMessages : itRefusesMessages
    withoutSubscriber(openBus)
  })
}

function itKeepsMessages(openBus: OpenBus): void {
  it('keeps messages until somebody subscribes', async () => {
    const bus = await openBus()
    const messages = [messageTo('a'), messageTo('a'), messageTo('b')]
    await bus.publish(messages)
    const handled: string[] = []
    await bus.subscribe('a', async ({ deliveryId }) => void handled.push(deliveryId))
    await bus.subscribe('b', async ({ deliveryId }) => void handled.push(deliveryId))
    const ids = messages.map(({ deliveryId }) => deliveryId)
    await vi.waitFor(() => expect(new Set(handled)).toEqual(new Set(ids)), PATIENCE)
  })
}

function itRefusesMessages(openBus: OpenBus): void {
  it('refuses a consumer that nobody handles', async () => {
    const bus = await openBus()
    await expect(bus.publish([messageTo('nobody')])).rejects.toThrow('nobody')
  })
}
