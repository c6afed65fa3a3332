import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { DeliveryMessage } from '../event-bus.js'
import { messageTo, orderingKeys } from './delivery-messages.js'
import type { OpenBus } from './describe-event-bus.js'
import { createGatedHandler } from './gated-handler.js'
import { PATIENCE } from './patience.js'

const idsOf = (messages: readonly DeliveryMessage[]) => messages.map(({ deliveryId }) => deliveryId)

/** Taking: who gets what, how much at once, how often. */
export function describeDelivering(openBus: OpenBus): void {
  describe('subscribe', () => {
    it('gives each message to the handler of its consumer, as it was published', async () => {
      const bus = await openBus()
      const taken: DeliveryMessage[] = []
      const others: DeliveryMessage[] = []
      await bus.subscribe('run.completed.episodic', async (message) => void taken.push(message))
      await bus.subscribe('other', async (message) => void others.push(message))
      const message = messageTo('run.completed.episodic', { orderingKey: 'a key', attempt: 3 })
      const other = messageTo('other')
      await bus.publish([message, other])
      await vi.waitFor(() => expect([taken, others]).toEqual([[message], [other]]), PATIENCE)
    })

    it('refuses a second handler of a consumer', async () => {
      const bus = await openBus()
      await bus.subscribe('a', async () => {})
      await expect(bus.subscribe('a', async () => {})).rejects.toThrow('already')
    })

    it('has as many messages of a consumer in hand at once as it was told, and no more', async () => {
      const bus = await openBus()
      const gated = createGatedHandler()
      await bus.subscribe('a', gated.handler, { concurrency: 2 })
      const messages = Array.from({ length: 6 }, () => messageTo('a'))
      const published = Promise.all(messages.map((message) => bus.publish([message])))
      for (let finished = 0; finished < messages.length; finished += 1) {
        const expected = Math.min(finished + 2, messages.length)
        await vi.waitFor(() => expect(gated.begun).toHaveLength(expected), PATIENCE)
        gated.finish(gated.begun[finished] ?? '')
      }
      await published
      expect(gated.mostAtOnce).toBe(2)
      expect(new Set(gated.begun)).toEqual(new Set(idsOf(messages)))
    })

    it('has one message in hand at once by default', async () => {
      const bus = await openBus()
      const gated = createGatedHandler()
      await bus.subscribe('a', gated.handler)
      const messages = [messageTo('a'), messageTo('a'), messageTo('a')]
      const published = Promise.all(messages.map((message) => bus.publish([message])))
      for (let finished = 0; finished < messages.length; finished += 1) {
        await vi.waitFor(() => expect(gated.begun).toHaveLength(finished + 1), PATIENCE)
        gated.finish(gated.begun[finished] ?? '')
      }
      await published
      expect(gated.mostAtOnce).toBe(1)
    })

    it('holds up no other consumer', async () => {
      const bus = await openBus()
      const slow = createGatedHandler()
      const handled: string[] = []
      await bus.subscribe('slow', slow.handler)
      await bus.subscribe('quick', async ({ deliveryId }) => void handled.push(deliveryId))
      await bus.publish([messageTo('slow')])
      await vi.waitFor(() => expect(slow.begun).toHaveLength(1), PATIENCE)
      const messages = [messageTo('quick'), messageTo('quick')]
      await bus.publish(messages)
      await vi.waitFor(() => expect(handled).toEqual(idsOf(messages)), PATIENCE)
    })

    it('goes on after a handler that rejects, and after one that throws', async () => {
      const bus = await openBus()
      const handled: string[] = []
      await bus.subscribe('a', async ({ deliveryId }) => {
        handled.push(deliveryId)
        throw new Error('The store is away.')
      })
      await bus.subscribe('b', ({ deliveryId }) => {
        handled.push(deliveryId)
        throw new Error('The store is away.')
      })
      const messages = [messageTo('a'), messageTo('b'), messageTo('a'), messageTo('b')]
      await bus.publish(messages)
      await vi.waitFor(() => expect(new Set(handled)).toEqual(new Set(idsOf(messages))), PATIENCE)
    })

    it('handles an attempt that is published twice, and the next attempt again', async () => {
      const bus = await openBus()
      const attempts: number[] = []
      await bus.subscribe('a', async ({ attempt }) => void attempts.push(attempt))
      const first = messageTo('a')
      await bus.publish([first])
      await bus.publish([first])
      await vi.waitFor(() => expect(attempts).toContain(1), PATIENCE)
      await bus.publish([{ ...first, attempt: 2 }])
      await vi.waitFor(() => expect(attempts).toContain(2), PATIENCE)
    })

    it('handles an attempt again that is published after it was handled', async () => {
      const bus = await openBus()
      const handled: string[] = []
      await bus.subscribe('a', async ({ deliveryId }) => void handled.push(deliveryId))
      const message = messageTo('a')
      await bus.publish([message])
      await vi.waitFor(() => expect(handled).toHaveLength(1), PATIENCE)
      // A bus may still be putting the first one away, and then takes the second for it.
      await vi.waitFor(async () => {
        await bus.publish([message])
        expect(handled.length).toBeGreaterThan(1)
      }, PATIENCE)
    })

    it('carries any ordering key', async () => {
      const bus = await openBus()
      const taken = new Map<string, DeliveryMessage>()
      await bus.subscribe('a', async (message) => void taken.set(message.deliveryId, message), {
        concurrency: 4,
      })
      const property = fc.asyncProperty(
        fc.array(fc.record({ orderingKey: orderingKeys, attempt: fc.integer({ min: 1 }) }), {
          minLength: 1,
          maxLength: 20,
        }),
        async (parts) => {
          const messages = parts.map((part) => messageTo('a', part))
          await bus.publish(messages)
          await vi.waitFor(
            () => expect(idsOf(messages).map((id) => taken.get(id))).toEqual(messages),
            PATIENCE,
          )
        },
      )
      await fc.assert(property, { numRuns: 25 })
    })
  })
}
