import { generateId } from '@loam/core'
import { describe, expect, it } from 'vitest'
import type { Delivery, DeliveryAttempt, DeliveryQueue, NewDelivery } from '../outbox.js'
import type { Storage } from '../storage.js'
import { NOW, after, sampleEvent } from './samples.js'
import type { OpenedStorage } from './suite.js'
import { createWorld, type World } from './world.js'

const LEASE_MS = 30_000

/** A consumer that no other test uses, and the queue as it sees it. */
function createConsumer(storage: Storage) {
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

function only(deliveries: readonly Delivery[]): Delivery {
  const [delivery] = deliveries
  if (delivery === undefined || deliveries.length > 1) {
    throw new Error(`Expected one delivery and got ${deliveries.length}.`)
  }
  return delivery
}

const ids = (deliveries: readonly Delivery[]) => deliveries.map(({ id }) => id)

/** The outbox and the queue of its deliveries. */
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

    it('are begun by one of those that have the message, and by nobody after', async () => {
      const world = await createWorld(opened())
      const { begin, claim, publish, find } = createConsumer(opened())
      const { id, event } = await publish(world, 'a')
      const sent = only(await claim())
      const begun = await Promise.all(Array.from({ length: 5 }, () => begin(sent, after(7))))
      const taken = begun.filter((delivery) => delivery !== undefined)
      expect(taken).toEqual([{ ...sent, state: 'running', tries: 1, leaseUntil: after(7), event }])
      expect(await begin(sent)).toBeUndefined()
      expect(await begin({ ...sent, attempt: 2 })).toBeUndefined()
      expect(await begin({ ...sent, tenantId: 'nonsense' })).toBeUndefined()
      expect(await find(world, id)).toMatchObject({ state: 'running', tries: 1 })
    })

    it.each(['sent', 'running'] as const)(
      'are due again when the lease of what is %s has ended, as another attempt',
      async (state) => {
        const world = await createWorld(opened())
        const { queue, begin, claim, publish, nextDueAt } = createConsumer(opened())
        const { id } = await publish(world, 'a')
        await publish(world, 'a', { runAfter: after(2 * LEASE_MS) })
        const first = only(await claim())
        if (state === 'running') await begin(first)
        expect(await nextDueAt()).toEqual(after(LEASE_MS))
        expect(await claim(after(LEASE_MS - 1))).toEqual([])
        const second = only(await claim(after(LEASE_MS)))
        expect(second).toMatchObject({ id, state: 'sent', attempt: 2 })
        expect(await begin(first)).toBeUndefined()
        expect(await begin(second)).toMatchObject({ tries: state === 'running' ? 2 : 1 })
        await queue(async (deliveries) => {
          expect(await deliveries.renew(first, after(99))).toBe(false)
          expect(await deliveries.complete(first)).toBe(false)
          expect(await deliveries.fail(first, { error: 'late', retryAt: NOW })).toBe(false)
          expect(await deliveries.release(first)).toBe(false)
          expect(await deliveries.renew(second, after(5 * LEASE_MS))).toBe(true)
        })
        expect(await claim(after(3 * LEASE_MS))).toEqual([])
      },
    )

    it('end only when they were begun', async () => {
      const world = await createWorld(opened())
      const { queue, claim, publish, find } = createConsumer(opened())
      const { id } = await publish(world, 'a')
      const sent = only(await claim())
      await queue(async (deliveries) => {
        expect(await deliveries.renew(sent, after(99))).toBe(false)
        expect(await deliveries.complete(sent)).toBe(false)
        expect(await deliveries.fail(sent, { error: 'early', retryAt: NOW })).toBe(false)
      })
      expect(await find(world, id)).toMatchObject({ state: 'sent' })
    })

    it('are tried again at the time given, and wait for a person when there is none', async () => {
      const world = await createWorld(opened())
      const { consumer, queue, begin, claim, publish, find } = createConsumer(opened())
      const { id } = await publish(world, 'a')
      const fail = async (delivery: Delivery, retryAt?: Date) => {
        await begin(delivery)
        return queue((deliveries) => deliveries.fail(delivery, { error: 'no answer', retryAt }))
      }
      expect(await fail(only(await claim()), after(1000))).toBe(true)
      expect(await find(world, id)).toMatchObject({
        state: 'pending',
        lastError: 'no answer',
        runAfter: after(1000),
        leaseUntil: undefined,
        attempt: 1,
        tries: 1,
      })
      expect(await claim(after(999))).toEqual([])
      const second = only(await claim(after(1000)))
      expect(second.attempt).toBe(2)
      expect(await fail(second)).toBe(true)
      expect(await find(world, id)).toMatchObject({
        state: 'dead',
        leaseUntil: undefined,
        tries: 2,
      })
      expect(await claim(after(LEASE_MS * 9))).toEqual([])
      const dead = await queue((deliveries) => deliveries.listDead(world.tenantId, { limit: 1 }))
      expect(dead).toMatchObject([{ id, lastError: 'no answer', event: { userId: 'ada' } }])
      const replay = (which: { readonly ids?: readonly string[]; readonly consumer?: string }) =>
        queue((deliveries) => deliveries.replay(world.tenantId, which, after(7)))
      expect(await replay({ ids: [generateId(), 'nonsense'] })).toBe(0)
      expect(await replay({ ids: [id], consumer: 'another' })).toBe(0)
      expect(await replay({ ids: [id], consumer })).toBe(1)
      expect(await replay({ ids: [id] })).toBe(0)
      expect(only(await claim(after(7)))).toMatchObject({ id, attempt: 3, tries: 0 })
    })

    it('are listed and replayed when dead, of one tenant, page by page', async () => {
      const [world, other] = [await createWorld(opened()), await createWorld(opened())]
      const { queue, begin, claim, publish } = createConsumer(opened())
      for (const key of ['a', 'b', 'c']) await publish(world, key)
      await publish(other, 'a')
      for (const delivery of await claim()) {
        await begin(delivery)
        await queue((deliveries) => deliveries.fail(delivery, { error: 'x', retryAt: undefined }))
      }
      const page = (before?: string) =>
        queue((deliveries) => deliveries.listDead(world.tenantId, { limit: 2, before }))
      const first = ids(await page())
      const second = ids(await page(first.at(-1)))
      expect([first.length, second.length]).toEqual([2, 1])
      expect(new Set([...first, ...second]).size).toBe(3)
      const all = (tenantId: string) => queue((deliveries) => deliveries.replay(tenantId, {}, NOW))
      expect(await all('nonsense')).toBe(0)
      expect(await all(world.tenantId)).toBe(3)
      expect(await page()).toEqual([])
      expect(
        await queue((deliveries) => deliveries.listDead(other.tenantId, { limit: 9 })),
      ).toHaveLength(1)
    })

    it.each(['sent', 'running'] as const)(
      'do not count a try when they are released while %s, and never reuse the attempt',
      async (state) => {
        const world = await createWorld(opened())
        const { queue, begin, claim, publish } = createConsumer(opened())
        await publish(world, 'a')
        const delivery = only(await claim())
        if (state === 'running') await begin(delivery)
        expect(await queue((deliveries) => deliveries.release(delivery))).toBe(true)
        expect(only(await claim())).toMatchObject({ id: delivery.id, attempt: 2, tries: 0 })
      },
    )

    it('wait until the time for which they are put off, and say why', async () => {
      const world = await createWorld(opened())
      const { queue, begin, claim, publish, find } = createConsumer(opened())
      const { id } = await publish(world, 'a')
      const delivery = only(await claim())
      await begin(delivery)
      const wait = { runAfter: after(1000), reason: 'The daily cap is reached.' }
      expect(await queue((deliveries) => deliveries.release(delivery, wait))).toBe(true)
      expect(await find(world, id)).toMatchObject({
        state: 'pending',
        tries: 0,
        runAfter: after(1000),
        lastError: wait.reason,
      })
      expect(await claim(after(999))).toEqual([])
      expect(await claim(after(1000))).toHaveLength(1)
    })

    it('are never more out than asked for, until a lease ends', async () => {
      const world = await createWorld(opened())
      const { queue, begin, claim, publish } = createConsumer(opened())
      for (let index = 0; index < 6; index += 1) await publish(world, `k${index}`)
      const [first] = await claim(NOW, 10, 3)
      if (!first) throw new Error('Nothing was claimed.')
      expect(await claim(NOW, 10, 3)).toEqual([])
      expect(await claim(NOW, 1, 4)).toHaveLength(1)
      await begin(first)
      expect(await claim(NOW, 10, 4)).toEqual([])
      await queue((deliveries) => deliveries.complete(first))
      expect(await claim(NOW, 10, 4)).toHaveLength(1)
      expect(await claim(after(LEASE_MS), 10, 4)).toHaveLength(4)
    })

    it('are forgotten with their event when all of them are done, and not before', async () => {
      const world = await createWorld(opened())
      const { queue, begin, claim, publish, find } = createConsumer(opened())
      const done = await publish(world, 'a')
      const waiting = await publish(world, 'b', { runAfter: after(1000) })
      for (const delivery of await claim()) {
        await begin(delivery)
        await queue((deliveries) => deliveries.complete(delivery))
      }
      const prune = (before: Date, limit = 100) =>
        opened().transaction({ tenantId: world.tenantId, everyUser: true }, ({ outbox }) =>
          outbox.prune(before, limit),
        )
      expect(await prune(done.event.occurredAt)).toBe(0)
      expect(await prune(after(60_000), 0)).toBe(0)
      expect(await prune(after(60_000))).toBe(1)
      expect(await find(world, done.id)).toBeUndefined()
      expect(await find(world, waiting.id)).toMatchObject({ state: 'pending' })
    })

    it('are counted by consumer and state', async () => {
      const world = await createWorld(opened())
      const { consumer, queue, begin, claim, publish } = createConsumer(opened())
      for (const key of ['a', 'b', 'c', 'd']) await publish(world, key)
      const [first, second] = await claim(NOW, 3)
      if (!first || !second) throw new Error('Nothing was claimed.')
      await begin(first)
      await queue((deliveries) => deliveries.complete(first))
      await begin(second)
      const counts = await queue((deliveries) => deliveries.counts())
      expect(counts.filter((count) => count.consumer === consumer)).toEqual([
        { consumer, state: 'done', count: 1 },
        { consumer, state: 'pending', count: 1 },
        { consumer, state: 'running', count: 1 },
        { consumer, state: 'sent', count: 1 },
      ])
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
