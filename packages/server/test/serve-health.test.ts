import { ConfigurationError } from '@loam/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveHealth } from '../src/node.js'
import { openTestApi, type TestApi } from './open-test-api.js'

let test: TestApi
beforeAll(async () => {
  test = await openTestApi()
})
afterAll(async () => {
  await test.close()
})

describe('serveHealth', () => {
  it('answers health checks without a key, and nothing else', async () => {
    await using health = await serveHealth({ runtime: test.runtime, port: 0 })
    expect(health.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    const statusOf = async (path: string) => (await fetch(health.url + path)).status
    expect(await statusOf('/health/live')).toBe(200)
    expect(await statusOf('/health/ready')).toBe(200)
    expect(await statusOf('/v1/status')).toBe(404)
    expect(await statusOf('/openapi.json')).toBe(404)
  })

  it.each([
    [true, 503, 'unavailable'],
    [false, 200, 'ok'],
  ])(
    'answers, when a part fails whose being required is %s, with %i',
    async (required, status, word) => {
      const queue = { name: 'queue', ok: false, required, detail: 'redis does not answer' }
      const runtime = { ...test.runtime, ready: async () => [queue] }
      await using health = await serveHealth({ runtime, port: 0 })
      const response = await fetch(`${health.url}/health/ready`)
      expect(response.status).toBe(status)
      expect(await response.json()).toEqual({ status: word, checks: [queue] })
    },
  )

  it('names its setting when the port is taken', async () => {
    await using health = await serveHealth({ runtime: test.runtime, port: 0 })
    const port = Number(new URL(health.url).port)
    const second = serveHealth({ runtime: test.runtime, port })
    await expect(second).rejects.toThrow(ConfigurationError)
    await expect(second).rejects.toThrow('LOAM_WORKER_PORT')
  })
})
