import { generateId } from '@loam/core'
import { describe, expect, it } from 'vitest'
import { NOW, after, sampleEvent } from './samples.js'
import type { OpenedStorage } from './suite.js'
import { LEASE_MS, createConsumer, ids, only } from './test-consumer.js'
import { createWorld } from './world.js'

/** The outbox, and the order in which its deliveries go out. */
export function describeDeliveries(opened: OpenedStorage): void {
  describe('deliveries', () => {
    it('carry the event that was published, with one for each consumer', async () => {
      const world = await createWorld(opened())
      const { consumer, claim, queue } = createConsumer(opened())
      const event = sampleEvent({ tenantId: world.tenantId, agentId: world.agentId, userId: 'ada' })
      const other = `${consumer}-2`
      await world.as('ada', ({ outbox }) =>
        outbox.publish(event, [
          { id: generateId(), consumer, orderingKey: 'k' },
          { id: generateId(), consumer: other, orderingKey: 'k' },
        ]),
      )
      const delivery = only(await claim())
      expect(delivery).toEqual({
        id: delivery.id,
        tenantId: world.tenantId,
        consumer,
        orderingKey: 'k',
        runAfter: NOW,
        state: 'sent',
        attempt: 1,
        tries: 0,
        lastError: undefined,
        leaseUntil: after(LEASE_MS),
        event,
      })
      const second = await queue((deliveries) =>
        deliveries.claim({ consumers: [other], now: NOW, limit: 5, leaseMs: 1 }),
      )
      expect(second).toMatchObject([{ consumer: other, event: { id: event.id } }])
    })

    it('are not there when the unit of work that published them is undone', async () => {
      const world = await createWorld(opened())
      const { consumer, claim, nextDueAt } = createConsumer(opened())
      const event = sampleEvent({ tenantId: world.tenantId, agentId: world.agentId, userId: 'ada' })
      const failing = world.as('ada', async ({ outbox }) => {
        await outbox.publish(event, [{ id: generateId(), consumer, orderingKey: 'k' }])
        throw new Error('undone')
      })
      await expect(failing).rejects.toThrow('undone')
      expect(await claim()).toEqual([])
      expect(await nextDueAt()).toBeUndefined()
    })

    it('are out one at a time for each ordering key, oldest first', async () => {
      const world = await createWorld(opened())
      const { queue, claim, begin, publish } = createConsumer(opened())
      const first = await publish(world, 'a', { runAfter: after(-2) })
      const second = await publish(world, 'a', { runAfter: after(-1) })
      const other = await publish(world, 'b')
      const taken = await claim()
      expect(ids(taken).toSorted()).toEqual([first.id, other.id].toSorted())
      expect(await claim()).toEqual([])
      const inHand = taken.find(({ id }) => id === first.id)
      if (!inHand) throw new Error('The first delivery was not taken.')
      await begin(inHand)
      expect(await claim()).toEqual([])
      expect(await queue((deliveries) => deliveries.complete(inHand))).toBe(true)
      expect(ids(await claim())).toEqual([second.id])
    })

    it('are oldest first again when the lease of one has ended', async () => {
      const world = await createWorld(opened())
      const { claim, begin, publish } = createConsumer(opened())
      const first = await publish(world, 'a', { runAfter: after(-2) })
      await publish(world, 'a', { runAfter: after(-1) })
      expect(ids(await claim())).toEqual([first.id])
      const again = only(await claim(after(LEASE_MS)))
      expect(again.id).toBe(first.id)
      await begin(again, after(2 * LEASE_MS))
      expect(ids(await claim(after(2 * LEASE_MS)))).toEqual([first.id])
    })

    it('let another tenant use the same ordering key', async () => {
      const [one, two] = [await createWorld(opened()), await createWorld(opened())]
      const { claim, publish } = createConsumer(opened())
      await publish(one, 'same')
      await publish(two, 'same')
      expect(await claim()).toHaveLength(2)
    })

    it('let tenants take turns, however many one of them waits with', async () => {
      const [busy, quiet] = [await createWorld(opened()), await createWorld(opened())]
      const { claim, publish } = createConsumer(opened())
      for (let index = 0; index < 6; index += 1) {
        await publish(busy, `k${index}`, { runAfter: after(index - 100) })
      }
      const late = await publish(quiet, 'k', { runAfter: NOW })
      const taken = await claim(NOW, 2)
      expect(taken).toHaveLength(2)
      expect(ids(taken)).toContain(late.id)
      expect(await claim(NOW, 3)).toHaveLength(3)
    })

    it('wait for their time', async () => {
      const world = await createWorld(opened())
      const { claim, publish, nextDueAt } = createConsumer(opened())
      const { id } = await publish(world, 'a', { runAfter: after(5000) })
      expect(await claim(after(4999))).toEqual([])
      expect(await nextDueAt()).toEqual(after(5000))
      expect(ids(await claim(after(5000)))).toEqual([id])
    })

    it('are never more out than asked for, whether leases end or not', async () => {
      const world = await createWorld(opened())
      const { queue, begin, claim, publish } = createConsumer(opened())
      for (let index = 0; index < 6; index += 1) await publish(world, `k${index}`)
      const [first, ...others] = await claim(NOW, 10, 3)
      if (!first) throw new Error('Nothing was claimed.')
      expect(await claim(NOW, 10, 3)).toEqual([])
      const fourth = only(await claim(NOW, 1, 4))
      await begin(first)
      expect(await claim(NOW, 10, 4)).toEqual([])
      await queue((deliveries) => deliveries.complete(first))
      const fifth = only(await claim(NOW, 10, 4))
      // Those whose lease has ended are sent again, and make no room for the one that was not sent yet.
      const again = await claim(after(LEASE_MS), 10, 4)
      expect(ids(again).toSorted()).toEqual(ids([...others, fourth, fifth]).toSorted())
    })

    it('go to one of many relays that claim at once', async () => {
      const world = await createWorld(opened())
      const { claim, publish } = createConsumer(opened())
      const published: string[] = []
      for (let index = 0; index < 12; index += 1) {
        published.push((await publish(world, `k${index}`)).id)
      }
      const taken: string[] = []
      for (let round = 0; taken.length < published.length && round < 20; round += 1) {
        const rounds = await Promise.all(Array.from({ length: 4 }, () => claim(NOW, 3)))
        taken.push(...ids(rounds.flat()))
      }
      expect(taken.toSorted()).toEqual(published.toSorted())
    })

    it('claim nothing without consumers, and know no delivery of another tenant', async () => {
      const [world, other] = [await createWorld(opened()), await createWorld(opened())]
      const { queue, publish, find } = createConsumer(opened())
      const { id } = await publish(world, 'a')
      const request = { consumers: [], now: NOW, limit: 5, leaseMs: 1 }
      expect(await queue((deliveries) => deliveries.claim(request))).toEqual([])
      expect(await find(other, id)).toBeUndefined()
      expect(await find(world, 'nonsense')).toBeUndefined()
      expect(await queue((deliveries) => deliveries.nextDueAt([]))).toBeUndefined()
    })
  })
}
