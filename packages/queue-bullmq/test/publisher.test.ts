import { once } from 'node:events'
import { generateId, type DeliveryMessage, type EventBus } from '@loam/core'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createBullmqBus } from '../src/index.js'
import { messageTo } from '@loam/core/testing'
import { PATIENCE } from './patience.js'
import { redisTestUrl } from './redis-test-url.js'

const url = redisTestUrl() ?? ''

describe.skipIf(url === '')('publishing again (LOAM_TEST_REDIS_URL)', () => {
  let redis: Redis
  let prefix: string
  let bus: EventBus

  beforeEach(() => {
    redis = new Redis(url)
    prefix = `loam-test-${generateId()}`
    bus = createBullmqBus({ url, prefix, publishTimeoutMs: 20_000 })
  })
  afterEach(async () => {
    await bus.close({ drainMs: 0 })
    const keys = await redis.keys(`{${prefix}.*`)
    if (keys.length > 0) await redis.del(keys)
    await redis.quit()
  })

  it('leaves one message of each delivery in the queue, however often it is sent', async () => {
    const first = [messageTo('a'), messageTo('a'), messageTo('a')]
    for (let attempt = 1; attempt <= 20; attempt += 1) {
      await bus.publish(first.map((message) => ({ ...message, attempt })))
    }
    expect(await redis.llen(`{${prefix}.a}:a:wait`)).toBe(first.length)

    const handled: DeliveryMessage[] = []
    await bus.subscribe('a', async (message) => {
      handled.push(message)
    })
    const newest = first.map((message) => ({ ...message, attempt: 20 }))
    await vi.waitFor(() => expect(handled).toHaveLength(first.length), PATIENCE)
    expect(handled).toEqual(expect.arrayContaining(newest))
  })

  it('does not take away what a worker has in hand', async () => {
    const finish = new AbortController()
    const handled: number[] = []
    await bus.subscribe(
      'a',
      async ({ attempt }) => {
        handled.push(attempt)
        if (attempt === 1) await once(finish.signal, 'abort')
      },
      { concurrency: 2 },
    )
    const message = messageTo('a')
    await bus.publish([message])
    await vi.waitFor(() => expect(handled).toEqual([1]), PATIENCE)
    await bus.publish([{ ...message, attempt: 2 }])
    await vi.waitFor(() => expect(handled).toEqual([1, 2]), PATIENCE)
    finish.abort()
  })
})
