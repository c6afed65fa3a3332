import { generateId } from '@loam/core'
import { describeEventBus } from '@loam/core/testing'
import { Redis } from 'ioredis'
import { afterAll, describe } from 'vitest'
import { createBullmqBus } from '../src/index.js'
import { redisTestUrl } from './redis-test-url.js'

const url = redisTestUrl()
const prefix = `loam-test-${generateId()}`

describe.skipIf(url === undefined)('with a server (LOAM_TEST_REDIS_URL)', () => {
  let buses = 0
  describeEventBus({
    name: 'bullmq',
    createBus: () => {
      buses += 1
      const options = { prefix: `${prefix}-${buses}`, publishTimeoutMs: 20_000 }
      return createBullmqBus({ url: url ?? '', ...options })
    },
    capabilities: { keepsMessagesForLater: true },
  })

  afterAll(async () => {
    const redis = new Redis(url ?? '')
    for await (const keys of redis.scanStream({ match: `{${prefix}*`, count: 1_000 })) {
      if (keys.length > 0) await redis.del(keys)
    }
    await redis.quit()
  })
})
