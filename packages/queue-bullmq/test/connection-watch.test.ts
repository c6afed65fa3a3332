import { Redis } from 'ioredis'
import { describe, expect, it, vi } from 'vitest'
import { createConnectionWatch } from '../src/connection-watch.js'
import { PATIENCE } from './patience.js'
import { createRecordingLogger } from './recording-logger.js'
import { redisTestUrl } from './redis-test-url.js'

const url = redisTestUrl() ?? ''

describe.skipIf(url === '')('createConnectionWatch (LOAM_TEST_REDIS_URL)', () => {
  it('says nothing when a connection is ended on purpose, and something when it breaks', async () => {
    const logger = createRecordingLogger()
    const watch = createConnectionWatch({ logger, hideSecrets: (text) => text })
    const client = new Redis(url)
    watch.add(client)
    await vi.waitFor(() => expect(client.status).toBe('ready'), PATIENCE)
    client.disconnect()
    await vi.waitFor(() => expect(client.status).toBe('end'), PATIENCE)
    await client.connect()
    expect(logger.lines).toEqual([])
    client.disconnect(true)
    await vi.waitFor(() => expect(logger.lines).toHaveLength(2), PATIENCE)
    expect(logger.lines).toEqual([
      'warn Redis cannot be reached; trying again.',
      'info Redis can be reached again.',
    ])
    client.disconnect()
  })
})
