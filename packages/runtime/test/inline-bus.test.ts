import type { DeliveryMessage } from '@loam/core'
import { describeEventBus } from '@loam/core/testing'
import { describe, expect, it } from 'vitest'
import { createInlineBus } from '../src/inline-bus.js'

describeEventBus({
  name: 'inline',
  createBus: () => createInlineBus(),
  capabilities: { keepsMessagesForLater: false },
})

function messageOf(deliveryId: string, consumer = 'a'): DeliveryMessage {
  return { deliveryId, tenantId: 'tenant', consumer, orderingKey: deliveryId, attempt: 1 }
}

/** A handler that ends each message when told to. */
function gatedHandler() {
  const begun: string[] = []
  const gates = new Map<string, () => void>()
  return {
    begun,
    finish: (id: string) => gates.get(id)?.(),
    handler: async ({ deliveryId }: DeliveryMessage, { signal }: { signal: AbortSignal }) => {
      begun.push(deliveryId)
      await new Promise<void>((resolve, reject) => {
        gates.set(deliveryId, resolve)
        signal.addEventListener('abort', () => reject(signal.reason as Error))
      })
    },
  }
}

const tick = () => new Promise((resolve) => setImmediate(resolve))

describe('createInlineBus', () => {
  it('begins as many messages of a consumer at once as it was told, in order', async () => {
    const bus = createInlineBus()
    const { begun, finish, handler } = gatedHandler()
    await bus.subscribe('a', handler, { concurrency: 2 })
    const published = ['1', '2', '3', '4'].map((id) => bus.publish([messageOf(id)]))
    await Promise.all(published.slice(0, 2))
    await tick()
    expect(begun).toEqual(['1', '2'])
    finish('2')
    await published[2]
    expect(begun).toEqual(['1', '2', '3'])
    finish('1')
    await published[3]
    expect(begun).toEqual(['1', '2', '3', '4'])
    finish('3')
    finish('4')
    await bus.close()
  })

  it('does not take a message whose publisher gives up waiting', async () => {
    const bus = createInlineBus()
    const { begun, finish, handler } = gatedHandler()
    await bus.subscribe('a', handler)
    await bus.publish([messageOf('1')])
    const giveUp = new AbortController()
    const waiting = bus.publish([messageOf('2')], { signal: giveUp.signal })
    giveUp.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    finish('1')
    await bus.publish([messageOf('3')])
    expect(begun).toEqual(['1', '3'])
    finish('3')
    await bus.close()
  })

  it('gives back what waits for its turn when it is closed', async () => {
    const bus = createInlineBus()
    const { finish, begun, handler } = gatedHandler()
    await bus.subscribe('a', handler)
    await bus.publish([messageOf('1')])
    const waiting = bus.publish([messageOf('2')])
    const closed = bus.close()
    await expect(waiting).rejects.toThrow('closed')
    await expect(bus.publish([messageOf('3')])).rejects.toThrow('closed')
    finish('1')
    await closed
    expect(begun).toEqual(['1'])
  })
})
