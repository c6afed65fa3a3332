import { InvalidInputError, LimitError, ModelError, generateId } from '@loam/core'
import type { Storage } from '@loam/storage'
import { createTestStorage } from '@loam/storage-postgres/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDeliveryHandler } from '../src/index.js'
import { createGate, createOutbox, until } from './outbox-world.js'

let storage: Storage
beforeAll(async () => {
  storage = await createTestStorage()
})
afterAll(() => storage.close())

const running = { signal: new AbortController().signal }

describe('the delivery handler', () => {
  it('gives the consumer the event with its tenant, and marks the delivery done', async () => {
    const outbox = await createOutbox(storage)
    const id = await outbox.publish()
    const [message] = await outbox.takeAway(30_000)
    const events: unknown[] = []
    const handle = createDeliveryHandler({
      storage,
      handlers: { [outbox.consumer]: async (event) => void events.push(event) },
    })
    await handle(message!, running)
    expect(events).toMatchObject([
      { type: 'chunks.unembedded', tenantId: outbox.tenantId, agentId: outbox.agentId },
    ])
    expect(await outbox.find(id)).toMatchObject({ state: 'done', lastError: undefined })
  })

  it('does nothing for a message that comes again, too late, or names nothing', async () => {
    const outbox = await createOutbox(storage)
    await outbox.publish()
    const [message] = await outbox.takeAway(30_000)
    let handled = 0
    const handle = createDeliveryHandler({
      storage,
      handlers: { [outbox.consumer]: async () => void (handled += 1) },
    })
    await handle({ ...message!, attempt: 2 }, running)
    await handle({ ...message!, deliveryId: generateId() }, running)
    await handle({ ...message!, tenantId: generateId() }, running)
    expect(handled).toBe(0)
    await handle(message!, running)
    await handle(message!, running)
    expect(handled).toBe(1)
  })

  it('lets a failure that may pass come again later', async () => {
    const outbox = await createOutbox(storage)
    const id = await outbox.publish()
    const [message] = await outbox.takeAway(30_000)
    const before = Date.now()
    const handle = createDeliveryHandler({
      storage,
      handlers: {
        [outbox.consumer]: () =>
          Promise.reject(new ModelError({ message: 'Overloaded.', retryable: true })),
      },
      random: () => 0,
    })
    await handle(message!, running)
    const delivery = await outbox.find(id)
    expect(delivery).toMatchObject({
      state: 'pending',
      attempt: 1,
      lastError: 'model_failed: Overloaded.',
    })
    expect(delivery?.runAfter?.getTime()).toBeGreaterThanOrEqual(before + 500)
  })

  it('puts off what a budget stops, as long as it says, and counts no try', async () => {
    const outbox = await createOutbox(storage)
    const id = await outbox.publish()
    const [message] = await outbox.takeAway(30_000)
    const before = Date.now()
    const handle = createDeliveryHandler({
      storage,
      handlers: {
        [outbox.consumer]: () =>
          Promise.reject(new LimitError({ message: 'The cap.', retryAfterMs: 60_000 })),
      },
    })
    await handle(message!, running)
    const delivery = await outbox.find(id)
    expect(delivery).toMatchObject({
      state: 'pending',
      tries: 0,
      lastError: 'limit_exceeded: The cap.',
    })
    expect(delivery?.runAfter?.getTime()).toBeGreaterThanOrEqual(before + 60_000)
  })

  it('has one of two processes that got the same message do the work', async () => {
    const outbox = await createOutbox(storage)
    await outbox.publish()
    const [message] = await outbox.takeAway(30_000)
    let begun = 0
    const gate = createGate()
    const handle = createDeliveryHandler({
      storage,
      handlers: {
        [outbox.consumer]: async () => {
          begun += 1
          await gate.passed
        },
      },
    })
    const both = [handle(message!, running), handle(message!, running)]
    await Promise.race(both)
    gate.open()
    await Promise.all(both)
    expect(begun).toBe(1)
  })

  it('lets a failure that will not pass die at once, and be replayed', async () => {
    const outbox = await createOutbox(storage)
    const id = await outbox.publish()
    let bad = true
    const { close, relay } = await outbox.run(async () => {
      if (bad) throw new InvalidInputError({ message: 'The event is not right.' })
    })
    await outbox.reaches(id, 'dead')
    expect(await outbox.find(id)).toMatchObject({ attempt: 1 })
    bad = false
    await storage.system.deliveries.replay(outbox.tenantId, { ids: [id] }, new Date())
    relay.nudge()
    await outbox.reaches(id, 'done')
    await close()
  })

  it('does not let a poisoned delivery hold up others of its ordering key', async () => {
    const outbox = await createOutbox(storage)
    const poisoned = await outbox.publish('session')
    const sound = await outbox.publish('session')
    const { close } = await outbox.run(async (_event, { jobId }) => {
      if (jobId === poisoned) throw new TypeError('x is undefined')
    })
    await outbox.reaches(sound, 'done')
    await close()
    expect(await outbox.find(poisoned)).toMatchObject({ lastError: 'TypeError: x is undefined' })
  })

  it('gives up what was begun too often and never ended', async () => {
    const outbox = await createOutbox(storage)
    const id = await outbox.publish()
    for (let tries = 1; tries <= 30; tries += 1) await outbox.beginAndDie()
    const [message] = await outbox.takeAway(30_000)
    let handled = 0
    const handle = createDeliveryHandler({
      storage,
      handlers: { [outbox.consumer]: async () => void (handled += 1) },
    })
    await handle(message!, running)
    expect(handled).toBe(0)
    expect(await outbox.find(id)).toMatchObject({ state: 'dead', tries: 31 })
  })

  it('keeps no secret and no long text of an error', async () => {
    const outbox = await createOutbox(storage)
    const id = await outbox.publish()
    const [message] = await outbox.takeAway(30_000)
    const handle = createDeliveryHandler({
      storage,
      handlers: {
        [outbox.consumer]: () =>
          Promise.reject(
            new Error(`token ghp_16C7e42F292c6912E7710c838347Ae178B4a ${'x'.repeat(9_000)}`),
          ),
      },
    })
    await handle(message!, running)
    const { lastError = '' } = (await outbox.find(id)) ?? {}
    expect(lastError).toContain('[REDACTED:')
    expect(lastError.length).toBeLessThanOrEqual(500)
  })

  it('keeps the lease while the work goes on', async () => {
    const outbox = await createOutbox(storage)
    const id = await outbox.publish()
    const [message] = await outbox.takeAway(30_000)
    let renewals = 0
    const handle = createDeliveryHandler({
      storage: {
        system: {
          ...storage.system,
          deliveries: {
            ...storage.system.deliveries,
            renew: (...given) => {
              renewals += 1
              return storage.system.deliveries.renew(...given)
            },
          },
        },
      },
      handlers: { [outbox.consumer]: () => until(() => renewals >= 4) },
      leaseMs: 30,
    })
    await handle(message!, running)
    expect(await outbox.find(id)).toMatchObject({ state: 'done', attempt: 1 })
  })

  it('stops when another process has taken the delivery over, and leaves the outcome to it', async () => {
    const outbox = await createOutbox(storage)
    const id = await outbox.publish()
    const [message] = await outbox.takeAway(30_000)
    let taken = false
    const reasons: unknown[] = []
    const handle = createDeliveryHandler({
      storage,
      handlers: {
        [outbox.consumer]: async (_event, { signal }) => {
          await storage.system.deliveries.claim({
            consumers: [outbox.consumer],
            now: new Date(Date.now() + 3_600_000),
            limit: 1,
            leaseMs: 30_000,
          })
          taken = true
          await new Promise<void>((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              reasons.push(signal.reason)
              reject(new Error('stopped'))
            })
          })
        },
      },
      leaseMs: 30,
    })
    await handle(message!, running)
    expect(taken).toBe(true)
    expect(reasons).toHaveLength(1)
    expect(await outbox.find(id)).toMatchObject({
      state: 'sent',
      attempt: 2,
      lastError: undefined,
    })
  })

  it('makes work that a shutdown ends due again at once', async () => {
    const outbox = await createOutbox(storage)
    const id = await outbox.publish()
    const [message] = await outbox.takeAway(30_000)
    const shutdown = new AbortController()
    const handle = createDeliveryHandler({
      storage,
      handlers: {
        [outbox.consumer]: async (_event, { signal }) => {
          shutdown.abort(new Error('The process is shutting down.'))
          signal.throwIfAborted()
        },
      },
    })
    await handle(message!, { signal: shutdown.signal })
    const delivery = await outbox.find(id)
    expect(delivery).toMatchObject({ state: 'pending', tries: 0 })
    expect(delivery?.runAfter?.getTime()).toBeLessThanOrEqual(Date.now())
  })
})
