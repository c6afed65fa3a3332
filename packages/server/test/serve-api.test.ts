import { once } from 'node:events'
import { mkdir, readFile, rmdir } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { ConfigurationError } from '@loam/core'
import type { Runtime } from '@loam/runtime'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { findServer, serveApi, type ApiServer } from '../src/node.js'
import { openTestApi, type TestApi } from './open-test-api.js'

let test: TestApi
let key = ''
beforeAll(async () => {
  test = await openTestApi()
  key = await test.addKey({})
})
afterAll(async () => {
  await test.close()
})

async function withServer(
  work: (server: ApiServer) => Promise<void>,
  runtime: Runtime = test.runtime,
  drainMs?: number,
): Promise<void> {
  await using server = await serveApi({ runtime, port: 0, drainMs })
  await work(server)
}

const authorized = () => ({ Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' })

/** Sends bytes as they are, and returns all that comes back. */
async function sendRaw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(text)
  const chunks: string[] = []
  for await (const chunk of socket) chunks.push(String(chunk))
  return chunks.join('')
}

const headOf = (method: string, path: string) =>
  `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n`

function gate() {
  const signal = new AbortController()
  return {
    open: () => {
      signal.abort()
    },
    opened: once(signal.signal, 'abort'),
  }
}

/** A runtime whose readiness takes until it is told. */
function slowRuntime() {
  const asked = gate()
  const answer = gate()
  const runtime: Runtime = {
    ...test.runtime,
    async ready() {
      asked.open()
      await answer.opened
      return [{ name: 'slow', ok: true, required: true, detail: 'There at last.' }]
    },
  }
  return { runtime, asked: asked.opened, answer: answer.open }
}

/** A runtime that tells when it was asked for a key, after which the body is read. */
function authenticatingRuntime() {
  const asked = gate()
  const runtime: Runtime = {
    ...test.runtime,
    async authenticate(secret) {
      asked.open()
      return await test.runtime.authenticate(secret)
    },
  }
  return { runtime, asked: asked.opened }
}

describe('serveApi', () => {
  it('serves on a free port', async () => {
    await withServer(async ({ url }) => {
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
      const live = await fetch(`${url}/health/live`)
      expect(await live.json()).toStrictEqual({ status: 'ok' })
    })
  })

  it('takes in and finds over a socket what was said, whatever its script', async () => {
    await withServer(async ({ url }) => {
      const post = async (path: string, body: unknown) => {
        const init = { method: 'POST', headers: authorized(), body: JSON.stringify(body) }
        return (await fetch(`${url}/v1${path}`, init)).json() as Promise<{
          results: { text: string; session: string }[]
        }>
      }
      await post('/agents', { key: 'socket' })
      const content = '私の犬の名前はポチです 🐕'
      const session = encodeURIComponent('电报/100%?#🐕')
      const messages = [{ role: 'user', content }]
      await post(`/agents/socket/sessions/${session}/messages`, { userId: 'ユーザー', messages })
      const found = await post('/agents/socket/memory/search', {
        userId: 'ユーザー',
        query: '犬の名前',
      })
      expect(found.results[0]).toMatchObject({
        session: '电报/100%?#🐕',
        text: expect.stringContaining('ポチ'),
      })
    })
  })

  it.each([
    ['with its length', true],
    ['in chunks', false],
  ])('refuses a body of twelve mebibytes sent %s', async (_what, hasLength) => {
    await withServer(async ({ url }) => {
      const bytes = Buffer.alloc(12 * 1024 * 1024, 0x20)
      const request = httpRequest(`${url}/v1/agents`, {
        method: 'POST',
        headers: { ...authorized(), ...(hasLength && { 'Content-Length': bytes.length }) },
      })
      // The server may hang up before all is sent; what counts is that it answered.
      request.on('error', () => {})
      request.end(bytes)
      const [response] = (await once(request, 'response')) as [{ statusCode: number }]
      expect(response.statusCode).toBe(413)
      request.destroy()
    })
  })

  it.each([
    ['/v1/agents?cursor=../..', '400'],
    ['/v1/agents/a/../../agents', '400'],
    ['/v1/agents/a/memory/documents/memory/../../../../b', '400'],
    ['/v1/agents/a/sessions/%2e%2e', '400'],
    ['/v1/agents/a/sessions/.?userId=a', '400'],
    ['/v1/agents/a\\b', '400'],
    ['/v1/agents/%00', '400'],
    ['/v1/agents/%c0%af', '400'],
    ['/v1/agents/\u00e4', '400'],
  ])('answers the raw target %s', async (target, status) => {
    await withServer(async ({ url }) => {
      const head = `GET ${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`
      expect(await sendRaw(url, head)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    })
  })

  it('answers nonsense with 400', async () => {
    await withServer(async ({ url }) => {
      expect(await sendRaw(url, 'NONSENSE\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /)
    })
  })

  it('says how to choose another port when this one is taken', async () => {
    await withServer(async ({ url }) => {
      const port = Number(new URL(url).port)
      const second = serveApi({ runtime: test.runtime, port })
      await expect(second).rejects.toThrow(/EADDRINUSE.*LOAM_PORT/)
      await expect(serveApi({ runtime: test.runtime, port })).rejects.toSatisfy((error) =>
        ConfigurationError.isInstance(error),
      )
    })
  })

  it('listens no longer when it cannot say where it does', async () => {
    const { home } = test.runtime.config
    const probe = await serveApi({ runtime: test.runtime, port: 0 })
    await probe.close()
    const port = Number(new URL(probe.url).port)
    const place = join(home, 'server.json')
    await mkdir(place)
    try {
      const served = serveApi({ runtime: test.runtime, port })
      await expect(served).rejects.toThrow(/server\.json.*LOAM_HOME/)
    } finally {
      await rmdir(place)
    }
    // The same port is free again.
    await using server = await serveApi({ runtime: test.runtime, port })
    expect(server.url).toBe(probe.url)
  })

  it.each([
    ['a malformed host', 'GET /v1/agents HTTP/1.1\r\nHost: a b', 400, 'invalid_input'],
    ['no URL', 'OPTIONS * HTTP/1.1\r\nHost: a', 400, 'invalid_input'],
    [
      'an unknown expectation',
      'POST /v1/agents HTTP/1.1\r\nHost: a\r\nExpect: tea',
      417,
      'expectation_failed',
    ],
  ])('answers %s with a problem', async (_what, head, status, code) => {
    await withServer(async ({ url }) => {
      const answer = await sendRaw(url, `${head}\r\nConnection: close\r\n\r\n`)
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
      expect(answer).toMatch(/content-type: application\/problem\+json/i)
      expect(answer).toContain(`"code":"${code}"`)
    })
  })

  it('refuses a body that its transfer encoding compressed', async () => {
    await withServer(async ({ url }) => {
      const head = `${headOf('POST', '/v1/agents')}Content-Type: application/json\r\nTransfer-Encoding: gzip, chunked\r\n\r\n`
      expect(await sendRaw(url, `${head}2\r\n{}\r\n0\r\n\r\n`)).toMatch(/^HTTP\/1.1 415 /)
    })
  })

  it.each([
    ['GET', 'Content-Length: 2\r\n\r\n{}', 400],
    ['GET', 'Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n', 400],
    ['GET', 'Content-Length: 0\r\n\r\n', 404],
    ['DELETE', 'Content-Length: 2\r\n\r\n{}', 400],
    ['DELETE', 'Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n', 400],
    ['DELETE', 'Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 404],
    ['DELETE', 'Content-Length: 0\r\n\r\n', 404],
  ])('takes no body with %s: %j is answered %d', async (method, rest, status) => {
    await withServer(async ({ url }) => {
      const answer = await sendRaw(url, `${headOf(method, '/v1/agents/nobody')}${rest}`)
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    })
  })

  it.each(['Content-Length: 50\r\n\r\n{"key"', 'Transfer-Encoding: chunked\r\n\r\n2\r\n{"\r\n'])(
    'takes a client that goes while it sends its body for no failure: %j',
    async (rest) => {
      const before = test.log.length
      const { runtime, asked } = authenticatingRuntime()
      await withServer(async ({ url }) => {
        const { hostname, port } = new URL(url)
        const socket = connect(Number(port), hostname)
        const type = 'Content-Type: application/json\r\n'
        socket.write(`${headOf('POST', '/v1/agents')}${type}${rest}`)
        await asked
        socket.destroy()
        await vi.waitFor(() => expect(test.log.length).toBeGreaterThan(before))
      }, runtime)
      expect(test.log.slice(before)).toMatchObject([{ level: 'info', fields: { status: 499 } }])
    },
  )

  it('is found through its home folder, which never holds the key', async () => {
    const { home } = test.runtime.config
    await withServer(async ({ url }) => {
      expect(await findServer(home)).toStrictEqual({ url, pid: process.pid })
      expect(await readFile(join(home, 'server.json'), 'utf8')).not.toContain(key)
    })
    expect(await findServer(home)).toBeUndefined()
  })

  it('tells the work in hand when its client has gone', async () => {
    await test.send('POST', '/v1/agents', { body: { key: 'left' } })
    const asked = gate()
    const left = gate()
    const runtime: Runtime = {
      ...test.runtime,
      memory: {
        ...test.runtime.memory,
        async search(_scope, _request, { signal } = {}) {
          asked.open()
          if (signal?.aborted === false) await once(signal, 'abort')
          left.open()
          signal?.throwIfAborted()
          return { results: [], count: 0 }
        },
      },
    }
    await withServer(async ({ url }) => {
      const client = new AbortController()
      const answer = fetch(`${url}/v1/agents/left/memory/search`, {
        method: 'POST',
        headers: authorized(),
        body: JSON.stringify({ query: 'x', userId: 'alice' }),
        signal: client.signal,
      }).catch(() => 'gone')
      await asked.opened
      client.abort()
      expect(await answer).toBe('gone')
      await left.opened
    }, runtime)
    expect(test.log.filter(({ level }) => level === 'error')).toStrictEqual([])
    expect(test.log.at(-1)).toMatchObject({ fields: { status: 499 } })
  })

  it('finishes the requests in hand before it is closed, and takes no other', async () => {
    const { runtime, asked, answer } = slowRuntime()
    await withServer(async (server) => {
      const inHand = fetch(`${server.url}/health/ready`)
      await asked
      const closed = server.close()
      await expect(fetch(`${server.url}/health/live`)).rejects.toThrow('fetch failed')
      answer()
      expect((await inHand).status).toBe(200)
      await closed
    }, runtime)
  })

  it('cuts off what is not finished in time', async () => {
    const { runtime, asked, answer } = slowRuntime()
    await withServer(
      async (server) => {
        const inHand = fetch(`${server.url}/health/ready`).then(
          () => 'answered',
          () => 'cut off',
        )
        await asked
        await server.close()
        expect(await inHand).toBe('cut off')
        answer()
      },
      runtime,
      50,
    )
  })

  it('closes once, however often it is told', async () => {
    const server = await serveApi({ runtime: test.runtime, port: 0 })
    expect(server.close()).toBe(server.close())
    await server.close()
  })
})
