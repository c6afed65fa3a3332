import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { ConfigurationError } from '@loam/core'
import type { Runtime } from '@loam/runtime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
      return [{ name: 'slow', ok: true, detail: 'There at last.' }]
    },
  }
  return { runtime, asked: asked.opened, answer: answer.open }
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
