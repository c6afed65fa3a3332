import { silentLogger } from '@loam/core'
import type { Redis } from 'ioredis'
import { describe, expect, it, vi } from 'vitest'
import { PATIENCE } from './patience.js'
import { readRedisUrl, type RedisAddress } from '../src/redis-address.js'
import { createRedisConnections } from '../src/redis-connections.js'
import { redisTestUrl } from './redis-test-url.js'

const url = redisTestUrl() ?? ''
const nowhere: RedisAddress = { host: '127.0.0.1', port: 1, db: 0 }

const untilStatus = (client: Redis, status: Redis['status']) =>
  vi.waitFor(() => expect(client.status).toBe(status), PATIENCE)

describe('createRedisConnections', () => {
  it('answers what still waits for Redis when it is closed', async () => {
    const connections = createRedisConnections(nowhere, { logger: silentLogger })
    const client = connections.worker()
    const answer = client.ping()
    await untilStatus(client, 'reconnecting')
    connections.close()
    await expect(answer).rejects.toThrow('closed')
  })

  it('does not try for ever when somebody connects again after it was closed', async () => {
    const connections = createRedisConnections(nowhere, { logger: silentLogger })
    const client = connections.worker().duplicate()
    await untilStatus(client, 'reconnecting')
    connections.close()
    await untilStatus(client, 'end')
    await expect(client.connect()).rejects.toThrow('closed')
    expect(client.status).toBe('end')
  })

  it.skipIf(url === '')('ends what is opened after it was closed', async () => {
    const address = readRedisUrl(url) ?? nowhere
    const connections = createRedisConnections(address, { logger: silentLogger })
    const client = connections.worker()
    await untilStatus(client, 'ready')
    connections.close()
    await untilStatus(client, 'end')
    const again = client.connect()
    expect(client.status).toBe('connecting')
    await expect(again).rejects.toThrow('closed')
    await untilStatus(client, 'end')
  })
})
