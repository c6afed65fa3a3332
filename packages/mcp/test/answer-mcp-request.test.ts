import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { answerMcpRequest, toolSourceOf, type AnswerMcpOptions } from '../src/index.js'
import { add } from './example-tools.js'

const URL_OF_SERVER = 'http://loam.test/mcp'
const options: AnswerMcpOptions = { tools: toolSourceOf([add]), version: '1.2.3' }

/** A client whose requests are answered in this process. */
async function connect(mode: 'legacy' | { readonly pin: string }): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(URL_OF_SERVER), {
      fetch: async (url, init) => await answerMcpRequest(new Request(url, init), options),
    }),
  )
  return client
}

const post = (body: string, init: RequestInit = {}, more: Partial<AnswerMcpOptions> = {}) =>
  answerMcpRequest(
    new Request(URL_OF_SERVER, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
      ...init,
    }),
    { ...options, ...more },
  )

describe('a request over HTTP', () => {
  it.each([
    ['2025', 'legacy', '2025-11-25'],
    ['2026-07-28', { pin: '2026-07-28' }, '2026-07-28'],
  ] as const)('is answered to clients of %s', async (_, mode, revision) => {
    const client = await connect(mode)
    expect(client.getNegotiatedProtocolVersion()).toBe(revision)
    expect(client.getServerVersion()).toMatchObject({ name: 'loam', version: '1.2.3' })
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['add'])
    expect(await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } })).toMatchObject({
      content: [{ type: 'text', text: '3' }],
    })
    await expect(client.callTool({ name: 'no_such' })).rejects.toMatchObject({ code: -32_602 })
    await client.close()
  })

  it('opens no stream for a client that listens for changes, of which there are none', async () => {
    const client = await connect({ pin: '2026-07-28' })
    const subscription = await client.listen({ toolsListChanged: true })
    expect(subscription.honoredFilter).toEqual({})
    await client.close()
  })

  it('is refused with the methods that are allowed', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const response = await answerMcpRequest(new Request(URL_OF_SERVER, { method }), options)
      expect([response.status, response.headers.get('Allow')]).toEqual([405, 'POST'])
      expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: {} })
    }
  })

  it.each([
    ['no JSON', '{"jsonrpc":', {}, {}, 400, -32_700],
    ['nothing', '', {}, {}, 400, -32_700],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', {}, {}, 400, -32_600],
    [
      'deep arguments',
      `{"jsonrpc":"2.0","params":${'['.repeat(1e5)}${']'.repeat(1e5)}}`,
      {},
      {},
      400,
      -32_600,
    ],
    ['another media type', '{}', { headers: { 'Content-Type': 'text/plain' } }, {}, 415, -32_000],
    [
      'another encoding',
      '{}',
      { headers: { 'Content-Type': 'application/json; charset=utf-16' } },
      {},
      415,
      -32_000,
    ],
    ['too large a body', ' '.repeat(101), {}, { maxBodyBytes: 100 }, 413, -32_000],
  ])('is refused for %s', async (_, body, init, more, status, code) => {
    const response = await post(body, init, more)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code } })
  })

  it.each(['application/json; charset=UTF-8', 'application/json;charset="utf8"'])(
    'is read when its type is %s',
    async (type) => {
      const message = { jsonrpc: '2.0', id: 1, method: 'ping' }
      const headers = { 'Content-Type': type, Accept: 'application/json, text/event-stream' }
      expect((await post(JSON.stringify(message), { headers })).status).toBe(200)
    },
  )

  it.each(['null', '7', '{}', '{"jsonrpc":"2.0","id":1}'])(
    'is refused for %s, which is no message',
    async (body) => {
      const response = await post(body, {
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
        },
      })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({
        jsonrpc: '2.0',
        error: { code: expect.any(Number) },
      })
    },
  )
})
