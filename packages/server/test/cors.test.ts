import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApi, type TestApi } from './open-test-api.js'

const APP = 'https://app.example.com'

let test: TestApi
beforeAll(async () => {
  test = await openTestApi({ LOAM_CORS_ORIGINS: `${APP}, http://localhost:5173` })
})
afterAll(async () => {
  await test.close()
})

const preflight = (origin: string) =>
  test.api.request('/v1/agents', {
    method: 'OPTIONS',
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization,idempotency-key',
    },
  })

describe('a page in a browser', () => {
  it('is told what it may send, without a key', async () => {
    const { status, headers } = await preflight(APP)
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-origin')).toBe(APP)
    expect(headers.get('access-control-allow-headers')).toContain('idempotency-key')
    expect(headers.get('access-control-allow-methods')).toContain('POST')
    expect(headers.get('access-control-allow-credentials')).toBeNull()
  })

  it('may read answers, and faults too', async () => {
    const fine = await test.send('GET', '/v1/agents', { headers: { Origin: APP } })
    const refused = await test.send('GET', '/v1/agents', { headers: { Origin: APP }, key: 'wrong' })
    const lost = await test.send('GET', '/v1/nowhere', { headers: { Origin: APP } })
    for (const { headers } of [fine, refused, lost]) {
      expect(headers.get('access-control-allow-origin')).toBe(APP)
      expect(headers.get('vary')).toContain('Origin')
    }
    expect([fine.status, refused.status, lost.status]).toStrictEqual([200, 401, 404])
  })

  it('of a site that is not listed is told nothing', async () => {
    const { headers } = await preflight('https://evil.example')
    expect(headers.get('access-control-allow-origin')).toBeNull()
    const answer = await test.send('GET', '/v1/agents', {
      headers: { Origin: 'https://app.example.com.evil.example' },
    })
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })
})
