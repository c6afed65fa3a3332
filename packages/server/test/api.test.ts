import { StorageUnavailableError } from '@loam/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApi } from '../src/index.js'
import { openTestApi, readAnswer, type TestApi } from './open-test-api.js'

let test: TestApi
beforeAll(async () => {
  test = await openTestApi()
})
afterAll(async () => {
  await test.close()
})

describe('keys', () => {
  it.each([
    ['none', {}],
    ['an empty one', { Authorization: 'Bearer ' }],
    ['an unknown one', { Authorization: 'Bearer not-a-key-of-anybody' }],
    ['a long one', { Authorization: `Bearer ${'x'.repeat(5000)}` }],
    ['another scheme', { Authorization: 'Basic dXNlcjpwYXNz' }],
    ['two', { Authorization: 'Bearer one two' }],
    ['SQL', { Authorization: `Bearer ') or true --` }],
  ])('are required: %s is refused', async (_what, headers) => {
    const {
      status,
      body,
      headers: answered,
    } = await test.send('GET', '/v1/agents', { key: null, headers })
    expect(status).toBe(401)
    expect(body.code).toBe('unauthenticated')
    expect(answered.get('WWW-Authenticate')).toBe('Bearer')
  })

  it('are read whatever the case of the scheme', async () => {
    const headers = { Authorization: `bearer ${await test.addKey({})}` }
    expect((await test.send('GET', '/v1/agents', { key: null, headers })).status).toBe(200)
  })

  it.each(['/health/live', '/health/ready', '/openapi.json'])(
    'are not asked for by %s, at the root and below /v1',
    async (path) => {
      for (const base of ['', '/v1']) {
        expect((await test.send('GET', base + path, { key: null })).status).toBe(200)
      }
    },
  )
})

describe('routes', () => {
  it.each([
    ['GET', '/'],
    ['GET', '/v1'],
    ['GET', '/v1/nothing'],
    ['POST', '/v1/nothing'],
    ['GET', '/v1/agents/'],
    ['GET', '/v2/agents'],
    ['PUT', '/v1/agents/a/memory/documents/'],
    ['GET', '//v1/agents'],
    ['GET', '/v1/agents/a/sessions/x/y/messages'],
  ])('are known or not: %s %s', async (method, path) => {
    const { status, body, headers } = await test.send(method, path)
    expect(status).toBe(404)
    expect(body.code).toBe('not_found')
    expect(headers.get('Content-Type')).toBe('application/problem+json')
  })

  it.each([
    ['PUT', '/v1/agents', 'GET, HEAD, POST'],
    ['POST', '/v1/agents/a', 'DELETE, GET, HEAD, PATCH'],
    ['DELETE', '/v1/agents/a/sessions/s/messages', 'GET, HEAD, POST'],
    ['GET', '/v1/agents/a/memory/search', 'POST'],
    ['POST', '/v1/agents/a/memory/documents/memory/a.md', 'DELETE, GET, HEAD, PUT'],
    ['POST', '/health/live', 'GET, HEAD'],
    ['PURGE', '/v1/agents', 'GET, HEAD, POST'],
  ])('tell which methods they have: %s %s', async (method, path, allowed) => {
    const { status, body, headers } = await test.send(method, path)
    expect(status).toBe(405)
    expect(body.code).toBe('method_not_allowed')
    expect(headers.get('Allow')).toBe(allowed)
  })

  it('answer HEAD without a body', async () => {
    const { status, body } = await test.send('HEAD', '/v1/agents')
    expect(status).toBe(200)
    expect(body).toBeUndefined()
  })
})

describe('bodies', () => {
  it.each([
    ['malformed JSON', '{"key": "a",}', 400],
    ['no JSON at all', '\u0089PNG', 400],
    ['nothing', '', 400],
    ['a list', '[]', 400],
    ['null', 'null', 400],
    ['more than ten mebibytes', ' '.repeat(11 * 1024 * 1024), 413],
  ])('are refused with a problem: %s', async (_what, body, status) => {
    const response = await test.api.request('/v1/agents', {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${await test.addKey({})}`,
        'Content-Type': 'application/json',
      },
      body,
    })
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ status, requestId: expect.any(String) })
  })

  it('are not read for those who have no key', async () => {
    let pulled = 0
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          pulled += 1
          controller.enqueue(new Uint8Array(1024))
        },
      },
      { highWaterMark: 0 },
    )
    const response = await test.api.request('/v1/agents', { method: 'POST', body, duplex: 'half' })
    expect(response.status).toBe(401)
    expect(pulled).toBe(0)
  })
})

describe('queries', () => {
  it.each(['?limit=5&foo=1', '?%6Cimit=5&x', '?userId=a'])(
    'refuse %s by its name',
    async (query) => {
      const { status, body } = await test.send('GET', `/v1/agents${query}`)
      expect(status).toBe(400)
      expect(body.issues).toStrictEqual([
        { path: expect.stringMatching(/^(?:foo|x|userId)$/), message: 'Unknown field' },
      ])
    },
  )

  it.each([
    ['POST', '/v1/agents'],
    ['PATCH', '/v1/agents/a'],
    ['DELETE', '/v1/agents/a'],
    ['PUT', '/v1/agents/a/sessions/s'],
    ['POST', '/v1/agents/a/sessions/s/messages'],
    ['POST', '/v1/agents/a/sessions/s/runs'],
    ['PUT', '/v1/agents/a/memory/documents/MEMORY.md'],
    ['POST', '/v1/agents/a/memory/search'],
  ])('are refused where there are none: %s %s', async (method, path) => {
    const options = method === 'DELETE' ? {} : { body: {} }
    const { status, body } = await test.send(method, `${path}?dryRun=true`, options)
    expect(status).toBe(400)
    expect(body.issues).toStrictEqual([{ path: 'dryRun', message: 'Unknown field' }])
  })

  it.each(['?cursor=%zz', '?cursor=%E4', '?%=1'])(
    'refuse %s, which nobody can decode',
    async (query) => {
      expect((await test.send('GET', `/v1/agents${query}`)).status).toBe(400)
    },
  )
})

describe('request ids', () => {
  it('are taken from the client when they are plain', async () => {
    const headers = { 'X-Request-Id': 'client-42' }
    const answer = await test.send('GET', '/v1/agents/nobody', { headers })
    expect(answer.headers.get('X-Request-Id')).toBe('client-42')
    expect(answer.body.requestId).toBe('client-42')
  })

  it.each(['a b', '<script>', '"}', 'x'.repeat(300)])(
    'are made anew instead of "%s"',
    async (id) => {
      const answer = await test.send('GET', '/v1/agents/nobody', {
        headers: { 'X-Request-Id': id },
      })
      expect(answer.body.requestId).toMatch(/^[0-9a-f-]{36}$/)
      expect(answer.headers.get('X-Request-Id')).toBe(answer.body.requestId)
    },
  )
})

describe('headers', () => {
  it.each(['/v1/agents', '/v1/nothing', '/health/live'])(
    'keep answers of %s to their reader',
    async (path) => {
      const { headers } = await test.send('GET', path)
      expect(headers.get('Cache-Control')).toBe('no-store')
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
    },
  )
})

describe('the log', () => {
  it('has one line for each request, without what is secret or said', async () => {
    const secret = await test.addKey({})
    const before = test.log.length
    const body = { userId: 'alice', messages: [{ role: 'user', content: 'the-word' }] }
    await test.send('POST', '/v1/agents/the-agent/sessions/the-session/messages', {
      key: secret,
      body,
      headers: { 'X-Request-Id': 'logged-1' },
    })
    const lines = test.log.slice(before)
    expect(lines).toStrictEqual([
      {
        level: 'info',
        message: 'request-handled',
        fields: {
          method: 'POST',
          route: '/v1/agents/:agent/sessions/:session/messages',
          status: 404,
          ms: expect.any(Number),
          requestId: 'logged-1',
        },
      },
    ])
    for (const word of [secret, 'the-word', 'the-agent', 'the-session', 'alice']) {
      expect(JSON.stringify(lines)).not.toContain(word)
    }
  })

  it('mentions health checks only to those who debug', async () => {
    const before = test.log.length
    await test.send('GET', '/health/ready')
    expect(test.log.slice(before)).toMatchObject([{ level: 'debug' }])
  })
})

async function sendTo(failure: Error, path: string) {
  const fail = async () => await Promise.reject(failure)
  const storage = { ...test.runtime.storage, transaction: fail }
  const headers = { Authorization: `Bearer ${await test.addKey({})}` }
  const api = createApi({ ...test.runtime, storage, ready: fail })
  return await readAnswer(await api.request(path, { headers }))
}

describe('a failure of the server', () => {
  it('is told without its cause, and logged with it', async () => {
    const before = test.log.length
    const cause = new Error('params: what alice said')
    const { status, body } = await sendTo(new Error('disk-broken', { cause }), '/v1/agents')
    expect(status).toBe(500)
    expect(body.code).toBe('internal_error')
    expect(JSON.stringify(body)).not.toContain('disk-broken')
    const log = JSON.stringify(test.log.slice(before))
    expect(log).toContain('disk-broken')
    expect(log).toContain(body.requestId)
    expect(log).not.toContain('what alice said')
  })

  it('asks to come back when the database does not answer', async () => {
    const error = new StorageUnavailableError({ message: 'connect ECONNREFUSED db.internal' })
    const { status, headers, body } = await sendTo(error, '/v1/agents')
    expect(status).toBe(503)
    expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0)
    expect(JSON.stringify(body)).not.toContain('db.internal')
  })

  it('makes the server unready, not dead', async () => {
    const error = new StorageUnavailableError({ message: 'gone' })
    const ready = await sendTo(error, '/health/ready')
    expect(ready.status).toBe(503)
    expect(ready.body).toMatchObject({
      status: 'unavailable',
      checks: [{ name: 'storage', ok: false }],
    })
    expect((await sendTo(error, '/health/live')).status).toBe(200)
  })
})
