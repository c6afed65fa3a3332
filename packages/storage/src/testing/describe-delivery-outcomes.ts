import { generateId } from '@loam/core'
import { describe, expect, it } from 'vitest'
import type { Delivery } from '../outbox.js'
import { NOW, after } from './samples.js'
import type { OpenedStorage } from './suite.js'
import { LEASE_MS, createConsumer, ids, only } from './test-consumer.js'
import { createWorld } from './world.js'

/** How deliveries that are out are begun and end, and what is told of them. */
export function describeDeliveryOutcomes(opened: OpenedStorage): void {
  describe('deliveries that are out', () => {
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

    it('begin and are done at once, each by its own attempt', async () => {
      const world = await createWorld(opened())
      const { queue, begin, claim, publish } = createConsumer(opened())
      for (const key of ['a', 'b', 'c', 'd']) await publish(world, key)
      const sent = await claim()
      expect(sent).toHaveLength(4)
      const [first, ...others] = sent
      const begun = await Promise.all(
        [{ ...first!, attempt: 9 }, ...others].map((attempt) => begin(attempt)),
      )
      expect(begun.map((delivery) => delivery?.id)).toEqual([
        undefined,
        ...others.map(({ id }) => id),
      ])
      await queue(async (deliveries) => {
        const done = await Promise.all(
          [...others, ...sent].map((attempt) => deliveries.complete(attempt)),
        )
        expect(done).toEqual([true, true, true, false, false, false, false])
      })
    })

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
      expect(await queue((deliveries) => deliveries.waiting(world.tenantId))).toEqual([
        { consumer, reason: 'no answer', count: 1, nextAt: after(1000) },
      ])
      expect(await queue((deliveries) => deliveries.waiting('nonsense'))).toEqual([])
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

    it('are settled when none is out and none is due', async () => {
      const world = await createWorld(opened())
      const { consumer, queue, begin, claim, publish } = createConsumer(opened())
      const settled = (now = NOW) => queue((deliveries) => deliveries.areSettled([consumer], now))
      expect(await settled()).toBe(true)
      await publish(world, 'a', { runAfter: after(5000) })
      expect(await settled()).toBe(true)
      expect(await settled(after(5000))).toBe(false)
      const sent = only(await claim(after(5000)))
      // Its lease has ended or not: it is out.
      expect(await settled(after(5000))).toBe(false)
      await begin(sent)
      expect(await settled(after(9 * LEASE_MS))).toBe(false)
      await queue((deliveries) => deliveries.complete(sent))
      expect(await settled(after(9 * LEASE_MS))).toBe(true)
    })
  })
}
