import { ConfigurationError, InvalidInputError, generateId, type EventBus } from '@loam/core'
import { Queue } from 'bullmq'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createBullmqBus, type BullmqBusOptions } from '../src/index.js'
import { messageTo } from '@loam/core/testing'
import { PATIENCE } from './patience.js'
import { createRecordingLogger, type RecordingLogger } from './recording-logger.js'
import { redisTestUrl } from './redis-test-url.js'

const url = redisTestUrl() ?? ''

describe.skipIf(url === '')('createBullmqBus (LOAM_TEST_REDIS_URL)', () => {
  let redis: Redis
  let prefix: string
  let logger: RecordingLogger
  const opened: EventBus[] = []

  beforeAll(() => {
    redis = new Redis(url)
  })
  beforeEach(() => {
    prefix = `loam-test-${generateId()}`
    logger = createRecordingLogger()
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((bus) => bus.close({ drainMs: 0 })))
    const keys = await keysOf(prefix)
    if (keys.length > 0) await redis.del(keys)
  })
  afterAll(() => redis.quit())

  function openBus(options: Partial<BullmqBusOptions> = {}): EventBus {
    const bus = createBullmqBus({ url, prefix, logger, publishTimeoutMs: 20_000, ...options })
    opened.push(bus)
    return bus
  }

  async function keysOf(start: string): Promise<string[]> {
    const found: string[] = []
    const pages = redis.scanStream({ match: `{${start}*`, count: 1_000 })
    for await (const keys of pages as AsyncIterable<string[]>) found.push(...keys)
    return found
  }

  /** How many changes of jobs a queue has seen, as far as it remembers them. */
  function eventsOf(consumer: string): Promise<number> {
    return redis.xlen(`{${prefix}.${consumer}}:${consumer}:events`)
  }

  it('shares the messages among all buses of one Redis, and handles each once', async () => {
    const handled: string[][] = [[], []]
    for (const mine of handled) {
      await openBus().subscribe('a', async ({ deliveryId }) => {
        mine.push(deliveryId)
        await new Promise((resolve) => setTimeout(resolve, 1))
      })
    }
    const messages = Array.from({ length: 200 }, () => messageTo('a'))
    const ids = messages.map(({ deliveryId }) => deliveryId)
    await openBus().publish(messages)
    await vi.waitFor(() => expect(handled.flat()).toHaveLength(ids.length), PATIENCE)
    expect(new Set(handled.flat())).toEqual(new Set(ids))
    for (const mine of handled) expect(mine).not.toHaveLength(0)
  })

  it('hands nothing to an installation with another prefix', async () => {
    const handled: string[] = []
    const note = async ({ deliveryId }: { deliveryId: string }) => void handled.push(deliveryId)
    await openBus().subscribe('a', note)
    const elsewhere = openBus({ prefix: `${prefix}-b` })
    await elsewhere.publish([messageTo('a')])
    const message = messageTo('a')
    await openBus().publish([message])
    await vi.waitFor(() => expect(handled).toEqual([message.deliveryId]), PATIENCE)
    await elsewhere.subscribe('a', note)
    await vi.waitFor(() => expect(handled).toHaveLength(2), PATIENCE)
  })

  it('takes a second message of an attempt that waits for the same', async () => {
    const bus = openBus()
    const message = messageTo('a')
    await bus.publish([message, message])
    await bus.publish([message])
    const handled: string[] = []
    await bus.subscribe('a', async ({ deliveryId }) => void handled.push(deliveryId))
    const last = messageTo('a')
    await bus.publish([last])
    await vi.waitFor(() => expect(handled).toEqual([message.deliveryId, last.deliveryId]), PATIENCE)
  })

  it('leaves nothing of a message in Redis, whether its handler resolves or rejects', async () => {
    const bus = openBus()
    let handled = 0
    await bus.subscribe('run.completed.episodic', async ({ attempt }) => {
      handled += 1
      if (attempt > 1) throw new Error('The store is away.')
    })
    const messages = Array.from({ length: 50 }, (_, k) =>
      messageTo('run.completed.episodic', { attempt: 1 + (k % 2) }),
    )
    await bus.publish(messages)
    await vi.waitFor(() => expect(handled).toBe(messages.length), PATIENCE)
    await vi.waitFor(async () => {
      const keys = await keysOf(prefix)
      const names = keys.map((key) => key.slice(key.lastIndexOf(':') + 1))
      // A counter, a bounded stream of events, settings, and marks that end by themselves.
      expect(['id', 'events', 'meta', 'marker', 'stalled-check', 'stalled']).toEqual(
        expect.arrayContaining(names),
      )
    }, PATIENCE)
    const outcome = 'The outcome of a delivery was not recorded; it comes again.'
    expect(logger.lines).toEqual([`warn ${outcome}`, ...Array(24).fill(`debug ${outcome}`)])
  })

  it('keeps all keys of a queue in one slot of a Redis Cluster', async () => {
    const bus = openBus()
    await bus.publish([messageTo('a'), messageTo('b')])
    const tags = (await keysOf(prefix)).map((key) => /^\{([^{}]+)\}:/.exec(key)?.[1])
    expect(new Set(tags)).toEqual(new Set([`${prefix}.a`, `${prefix}.b`]))
  })

  it('drops a job that is no delivery, or one of another queue, and says so', async () => {
    const bus = openBus()
    const connection = redis.duplicate({ maxRetriesPerRequest: null })
    const queue = new Queue('a', { connection, prefix: `{${prefix}.a}` })
    await queue.add('delivery', { deliveryId: 7, text: 'secret' })
    await queue.add('delivery', messageTo('b'))
    const { id = '' } = await queue.add('delivery', messageTo('a'))
    await redis.hset(`{${prefix}.a}:a:${id}`, 'data', '{no json')
    const message = messageTo('a')
    await bus.publish([message])
    const handled: string[] = []
    await bus.subscribe('a', async ({ deliveryId }) => void handled.push(deliveryId))
    await vi.waitFor(() => expect(handled).toEqual([message.deliveryId]), PATIENCE)
    await vi.waitFor(
      async () => expect(await queue.getJobCountByTypes('wait', 'active')).toBe(0),
      PATIENCE,
    )
    await queue.close()
    connection.disconnect()
    expect(logger.lines).toEqual(
      Array(3).fill('warn A job that is no delivery was dropped from a queue.'),
    )
    expect(logger.text()).not.toContain('secret')
  })

  it('gives back what it had fetched and not begun when it is closed', async () => {
    // What is not given back comes when its lock ends: never, as far as this test goes.
    const bus = openBus({ lockDurationMs: 600_000 })
    const messages = Array.from({ length: 30 }, () => messageTo('a'))
    await bus.publish(messages)
    const handled: string[] = []
    const note = async ({ deliveryId }: { deliveryId: string }) => void handled.push(deliveryId)
    let closed: Promise<void> | undefined
    await bus.subscribe(
      'a',
      async (message) => {
        closed ??= bus.close()
        await note(message)
      },
      { concurrency: 5 },
    )
    await vi.waitFor(() => expect(closed).toBeDefined(), PATIENCE)
    await closed
    expect(handled).toHaveLength(1)
    await openBus().subscribe('a', note)
    const ids = messages.map(({ deliveryId }) => deliveryId)
    await vi.waitFor(() => expect(new Set(handled)).toEqual(new Set(ids)), PATIENCE)
    expect(handled).toHaveLength(ids.length)
  })

  it('has told Redis how its messages ended when it is closed', async () => {
    const bus = openBus()
    const gates: (() => void)[] = []
    const handler = () => new Promise<void>((resolve) => gates.push(resolve))
    await bus.subscribe('a', handler, { concurrency: 3 })
    await bus.publish([messageTo('a'), messageTo('a'), messageTo('a')])
    await vi.waitFor(() => expect(gates).toHaveLength(3), PATIENCE)
    const closed = bus.close({ drainMs: 60_000 })
    for (const finish of gates) finish()
    await closed
    expect(await redis.llen(`{${prefix}.a}:a:active`)).toBe(0)
  })

  it('leaves alone what waits while it ends what is in hand', async () => {
    const bus = openBus()
    let finish: (() => void) | undefined
    const handler = () => new Promise<void>((resolve) => (finish = resolve))
    await bus.subscribe('a', handler, { concurrency: 2 })
    await bus.publish([messageTo('a')])
    await vi.waitFor(() => expect(finish).toBeDefined(), PATIENCE)
    const closed = bus.close({ drainMs: 60_000 })
    await openBus().publish([messageTo('a')])
    const before = await eventsOf('a')
    await new Promise((resolve) => setTimeout(resolve, 200))
    // Fetching it and giving it back, over and over, would be events.
    expect((await eventsOf('a')) - before).toBeLessThan(3)
    finish?.()
    await closed
  })

  it('lets nobody subscribe when it is closed', async () => {
    const bus = openBus()
    await bus.close()
    await expect(bus.subscribe('a', async () => {})).rejects.toThrow('closed')
  })

  it.each(['', 'a:b', '{a}', 'a b', 'ä', 'a'.repeat(201)])(
    'refuses a consumer named "%s"',
    async (consumer) => {
      const bus = openBus()
      await expect(bus.subscribe(consumer, async () => {})).rejects.toThrow(InvalidInputError)
      await expect(bus.publish([messageTo(consumer)])).rejects.toThrow(InvalidInputError)
    },
  )

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])(
    'refuses a concurrency of %d',
    async (concurrency) => {
      const subscribed = openBus().subscribe('a', async () => {}, { concurrency })
      await expect(subscribed).rejects.toThrow(ConfigurationError)
    },
  )
})
