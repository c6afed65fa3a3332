import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveApi, type ApiServer } from '../../src/node.js'
import { openTestApi, type TestApi } from '../open-test-api.js'

let test: TestApi
let server: ApiServer
let agent = ''
let key = ''
let keyOfBob = ''
beforeAll(async () => {
  test = await openTestApi()
  server = await serveApi({ runtime: test.runtime, port: 0, announce: false })
  agent = await test.addAgent({ displayName: 'Helper' })
  key = await test.addKey({})
  keyOfBob = await test.addKey({ userId: 'bob' })
})
afterAll(async () => {
  await server.close()
  await test.close()
})

const url = (query: string) => new URL(`/mcp?${query}`, server.url)
const headersOf = (secret: string) => ({
  requestInit: { headers: { Authorization: `Bearer ${secret}` } },
})

/** A client of the SDK, which asks for its newest revision, or for that of 2025. */
async function connect(
  query: string,
  { secret = key, mode = 'auto' }: { secret?: string; mode?: 'auto' | 'legacy' } = {},
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(url(query), headersOf(secret)))
  return client
}

/** What a tool answers to a client that comes for this one call. */
async function call(query: string, name: string, args: Record<string, unknown>, secret = key) {
  const client = await connect(query, { secret })
  try {
    return await client.callTool({ name, arguments: args })
  } finally {
    await client.close()
  }
}

const textOf = ({ content }: { content: unknown }) => (content as [{ text: string }])[0].text

/** Posts a message that is right in itself. */
const post = (path: string, headers: Record<string, string> = {}, body: string = PING) =>
  fetch(server.url + path, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      Authorization: `Bearer ${key}`,
      ...headers,
    },
    body,
  })
const OTHER_TENANT = '0193a5b0-7000-7000-8000-00000000000b'
const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })

describe('/mcp', () => {
  it.each([
    ['2026-07-28', 'auto'],
    ['2025-11-25', 'legacy'],
  ] as const)('serves the tools of an agent by the revision of %s', async (revision, mode) => {
    const client = await connect(`agent=${agent}&user=ana`, { mode })
    expect(client.getNegotiatedProtocolVersion()).toBe(revision)
    expect(client.getServerVersion()).toMatchObject({ name: 'loam', title: 'Loam: Helper' })
    expect(client.getInstructions()).toContain('memory_search')
    const { tools } = await client.listTools()
    expect(tools.map(({ name, annotations }) => [name, annotations])).toEqual([
      ['memory_search', reads('Search memory')],
      ['memory_get', reads('Read a note')],
      ['skill_search', reads('Find a skill')],
      ['use_skill', reads('Use a skill')],
      ['read_file', reads('Read a file')],
      ['write_file', writes('Write a file')],
    ])
    await client.close()
  })

  it('serves clients of the first SDK', async () => {
    const client = new OldClient({ name: 'test', version: '1' })
    await client.connect(new OldTransport(url(`agent=${agent}&user=ana`), headersOf(key)))
    expect((await client.listTools()).tools).toHaveLength(6)
    const result = await client.callTool({ name: 'memory_search', arguments: { query: 'Lisbon' } })
    expect(result).toMatchObject({
      content: [{ text: expect.stringContaining('Lisbon') as string }],
    })
    await client.close()
  })

  it('remembers for one user what no other user, and no other tenant, finds', async () => {
    const note = { path: 'MEMORY.md', content: 'Ana moved to Porto.' }
    const written = await call(`agent=${agent}&user=ana`, 'write_file', note)
    expect(written).toMatchObject({ isError: false })
    const search = async (query: string, secret = key) =>
      textOf(await call(query, 'memory_search', { query: 'Porto' }, secret))
    expect(await search(`agent=${agent}&user=ana`)).toContain('Ana moved to Porto')
    expect(await search(`agent=${agent}&user=bob`)).toContain('Nothing is remembered')
    expect(await search(`agent=${agent}`, keyOfBob)).toContain('Nothing is remembered')
    const { status } = await post(`/mcp?agent=${agent}&user=ana`, {
      Authorization: `Bearer ${await test.addKey({ tenantId: OTHER_TENANT })}`,
    })
    expect(status).toBe(404)
  })

  it('tells the model why a tool did not do it', async () => {
    const missing = await call(`agent=${agent}&user=ana`, 'memory_search', {})
    expect(missing).toMatchObject({ isError: true })
    expect(textOf(missing)).toContain('query')
    const refused = await call(`agent=${agent}&user=ana`, 'read_file', { path: '/etc/passwd' })
    expect(refused).toMatchObject({ isError: true })
    expect(textOf(refused)).toContain('There is no file "/etc/passwd"')
  })

  it('answers with an error of the protocol when there is no such tool', async () => {
    await expect(call(`agent=${agent}&user=ana`, 'no_such', {})).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringContaining('"no_such"') as string,
    })
  })

  it('has no page of its list that another caller could be given from a cache', async () => {
    const client = await connect(`agent=${agent}&user=ana`)
    expect(await client.listTools()).toMatchObject({ cacheScope: 'private' })
    await client.close()
  })

  it.each([
    ['a key of another user', 'user=ana', () => keyOfBob, 403, 'forbidden'],
    ['no user', '', () => key, 400, 'invalid_input'],
    ['the user that is nobody', 'user=', () => key, 400, 'invalid_input'],
    ['the user that is nobody, with a key of one', 'user=', () => keyOfBob, 400, 'invalid_input'],
    ['two users', 'user=ana&user=bob', () => key, 400, 'invalid_input'],
    ['the same user twice', 'user=bob&user=bob', () => keyOfBob, 400, 'invalid_input'],
    ['an unknown parameter', 'user=ana&usr=1', () => key, 400, 'invalid_input'],
    ['a wrong key', 'user=ana', () => 'k'.repeat(32), 401, 'unauthenticated'],
  ])('refuses %s', async (_, query, secret, status, code) => {
    const response = await post(`/mcp?agent=${agent}&${query}`, {
      Authorization: `Bearer ${secret()}`,
    })
    expect(response.status).toBe(status)
    expect(response.headers.get('WWW-Authenticate')).toBe(status === 401 ? 'Bearer' : null)
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(await response.json()).toMatchObject({
      jsonrpc: '2.0',
      id: null,
      error: { code: expect.any(Number) as number, data: { code } },
    })
  })

  it('refuses an agent that is not there, and none', async () => {
    expect((await post('/mcp?agent=nobody&user=ana')).status).toBe(404)
    expect((await post('/mcp?user=ana')).status).toBe(400)
  })

  it('lets a client of the SDK know that its key is wrong', async () => {
    await expect(connect(`agent=${agent}&user=ana`, { secret: 'k'.repeat(32) })).rejects.toThrow(
      'HTTP 401',
    )
  })

  it('answers ping, and takes notifications', async () => {
    expect((await post(`/mcp?agent=${agent}&user=ana`)).status).toBe(200)
    const notification = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })
    const { status } = await post(`/mcp?agent=${agent}&user=ana`, {}, notification)
    expect(status).toBe(202)
  })

  it.each(['GET', 'DELETE', 'PUT'])('has no %s', async (method) => {
    const response = await fetch(url(`agent=${agent}&user=ana`), {
      method,
      headers: { Authorization: `Bearer ${key}`, Accept: 'text/event-stream' },
    })
    expect([response.status, response.headers.get('Allow')]).toEqual([405, 'POST'])
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32_000 } })
  })

  it.each([
    ['no JSON', '{', 400],
    ['a batch', `[${PING}]`, 400],
    ['a body that is too large', ' '.repeat(10 * 1024 * 1024 + 1), 413],
  ])('refuses %s in the shape of JSON-RPC', async (_, body, status) => {
    const response = await post(`/mcp?agent=${agent}&user=ana`, {}, body)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null })
  })

  it.each([
    ['the page of a foreign site', { Origin: 'https://evil.example' }],
    ['a page without an origin', { Origin: 'null' }],
    ['a name that is not its own', { Host: 'evil.example' }],
  ])('refuses %s in the shape of JSON-RPC', async (_, headers) => {
    const { status, body } = await postRaw({ Authorization: `Bearer ${key}`, ...headers })
    expect(status).toBe(403)
    expect(JSON.parse(body)).toMatchObject({ jsonrpc: '2.0', error: { code: -32_000 } })
  })

  it.each([
    ['a page of this machine', { Origin: 'http://localhost:6274' }],
    ['a name of this machine', { Host: 'localhost' }],
  ])('answers %s', async (_, headers) => {
    const { status } = await postRaw({ Authorization: `Bearer ${key}`, ...headers })
    expect(status).toBe(200)
  })

  it('looks at the name before the key, so that a page learns nothing of keys', async () => {
    expect((await postRaw({ Origin: 'https://evil.example' })).status).toBe(403)
  })

  it('logs neither key, nor user, nor what was said', () => {
    const log = JSON.stringify(test.log)
    expect(log).toContain('"route":"/mcp"')
    for (const secret of [key, keyOfBob, 'ana', 'Porto']) expect(log).not.toContain(secret)
  })
})

function reads(title: string) {
  return {
    title,
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  }
}

function writes(title: string) {
  return { ...reads(title), readOnlyHint: false, destructiveHint: true, idempotentHint: false }
}

/** Sends headers that `fetch` would not let be set. */
async function postRaw(headers: Record<string, string>) {
  return await new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    const sent = request(
      url(`agent=${agent}&user=ana`),
      {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          ...headers,
        },
      },
      (response) => {
        text(response).then((body) => resolve({ status: response.statusCode, body }), reject)
      },
    )
    sent.on('error', reject).end(PING)
  })
}
