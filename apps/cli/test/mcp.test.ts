import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { createRuntime, loadConfig, type Runtime } from '@loam/runtime'
import { serveApi, type ApiServer } from '@loam/server/node'
import { createTestStorage } from '@loam/storage-postgres/testing'
import type { Storage } from '@loam/storage'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApiToolSource } from '../src/api/api-tool-source.js'
import { connectTo } from '../src/api/remote-connection.js'
import { ended, loamProcess, runLoam, startLoam, withHome } from './run-loam.js'

// Several processes start here, and some of them boot a database.
const PATIENCE = 240_000
const KEY = 'a-key-of-sixteen-characters-or-more'
const PINNED = { pin: '2026-07-28' }

type Mode = 'legacy' | 'auto' | { readonly pin: string }
type Environment = Readonly<Record<string, string>>

/** A client that has started `loam mcp`. */
async function connect(user: string, env: Environment, mode: Mode = PINNED) {
  const args = ['mcp', '--agent', 'helper', '--user', user]
  const transport = new StdioClientTransport({ ...loamProcess(args, env), stderr: 'pipe' })
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const errors = text(transport.stderr as Readable)
  await client.connect(transport)
  const call = async (name: string, given: Record<string, unknown>) => {
    const { content, isError } = await client.callTool({ name, arguments: given })
    const [first] = content
    return { text: first?.type === 'text' ? first.text : undefined, isError }
  }
  return { client, call, errors }
}

describe('loam mcp, of a server', () => {
  let storage: Storage
  let runtime: Runtime
  let server: ApiServer
  let env: Environment = {}
  beforeAll(async () => {
    const settings = { LOAM_DATABASE_URL: 'pglite:memory', LOAM_API_KEY: KEY, LOAM_PORT: '0' }
    storage = await createTestStorage()
    runtime = await createRuntime(loadConfig(settings, { cwd: import.meta.dirname }), { storage })
    server = await serveApi({ runtime, announce: false })
    env = { LOAM_URL: server.url, LOAM_API_KEY: KEY }
    await runLoam(['agent', 'create', 'helper'], env)
  })
  afterAll(async () => {
    await server.close()
    await runtime.close()
    await storage.close()
  })

  it(
    'serves the tools of an agent for one user, and prints nothing else',
    async () => {
      const { client, call, errors } = await connect('ana', env)
      expect(client.getServerVersion()).toMatchObject({ name: 'loam', title: 'Loam: helper' })
      expect(client.getInstructions()).toContain('memory_search')
      expect((await client.listTools()).tools).toHaveLength(6)
      await call('write_file', { path: 'MEMORY.md', content: 'Ana moved to Porto.' })
      const found = await call('memory_search', { query: 'Porto' })
      expect(found).toMatchObject({
        isError: false,
        text: expect.stringContaining('moved to Porto'),
      })
      expect(await call('memory_search', {})).toMatchObject({
        isError: true,
        text: expect.stringContaining('query'),
      })
      await expect(call('no_such', {})).rejects.toMatchObject({ code: -32_602 })
      await client.close()
      expect(await errors).toBe('')

      const other = await connect('bob', env, 'legacy')
      expect((await other.call('memory_search', { query: 'Porto' })).text).toContain('Nothing')
      await other.client.close()
    },
    PATIENCE,
  )

  it(
    'tells the client, and whoever reads its errors, that the key is wrong',
    async () => {
      const wrong = await connect('ana', { ...env, LOAM_API_KEY: 'k'.repeat(32) })
      await expect(wrong.client.listTools()).rejects.toThrow('The key is not known here')
      expect(await wrong.call('memory_search', { query: 'x' })).toMatchObject({
        isError: true,
        text: expect.stringContaining('The key is not known here'),
      })
      await wrong.client.close()
      const errors = await wrong.errors
      expect(errors).toContain('error: The key is not known here')
      expect(errors).not.toContain('k'.repeat(32))
    },
    PATIENCE,
  )

  it('has no tools for an agent that is not there, and says which', async () => {
    const { client } = connectTo(server.url, KEY)
    const tools = createApiToolSource(client, { agent: 'nobody', user: 'ana' })
    await expect(tools.list()).rejects.toThrow('nobody')
    const call = { name: 'memory_search', arguments: '{"query":"x"}' }
    await expect(tools.call(call)).rejects.toThrow('nobody')
  })

  it.each(['SIGTERM', 'end of its input'])(
    'ends cleanly with %s',
    async (how) => {
      const child = startLoam(['mcp', '--agent', 'helper', '--user', 'ana'], env)
      const end = ended(child)
      child.stdin?.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
      await new Promise((resolve) => child.stdout?.once('data', resolve))
      if (how === 'SIGTERM') child.kill('SIGTERM')
      else child.stdin?.end()
      const { code, stdout, stderr } = await end
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(JSON.parse(stdout)).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
    },
    PATIENCE,
  )
})

describe('loam mcp, of a folder', () => {
  it(
    'opens the store by itself, also for a client that starts it twice',
    async () => {
      await withHome(async (home) => {
        const env = { LOAM_HOME: home, LOAM_LOG_LEVEL: 'error' }
        await runLoam(['agent', 'create', 'helper'], env)
        const note = { path: 'memory/tea.md', content: 'Ana likes green tea.' }
        const first = await connect('ana', env, 'auto')
        expect(await first.call('write_file', note)).toMatchObject({ isError: false })
        await first.client.close()
        const second = await connect('ana', env, 'legacy')
        const found = await second.call('memory_search', { query: 'tea' })
        expect(found.text).toContain('green tea')
        await second.client.close()
        expect(await second.errors).toBe('')
      })
    },
    PATIENCE,
  )

  it('waits for no client where there is no store', async () => {
    await withHome(async (home) => {
      const { code, stdout, stderr } = await runLoam(['mcp', '--agent', 'a', '--user', 'u'], {
        LOAM_HOME: join(home, 'none'),
      })
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toContain('There is no Loam in')
    })
  })
})

describe('loam mcp', () => {
  it.each([
    [['--agent', 'a'], {}, 2, "required option '--user <id>' not specified"],
    [['--user', 'u'], {}, 2, "required option '--agent <key>' not specified"],
    [['--agent', 'a', '--user', ''], {}, 2, '--user may not be empty'],
    [['--agent', 'a', '--user', 'u'], { LOAM_URL: 'http://127.0.0.1:9' }, 1, 'Set LOAM_API_KEY'],
    [['--agent', 'a', '--user', 'u'], { LOAM_PROT: '1' }, 1, 'Did you mean LOAM_PORT'],
  ])('refuses %j with %o', async (args, env, code, message) => {
    const answer = await runLoam(['mcp', ...args], env)
    expect(answer).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) })
  })

  it('shows what a desktop client is to be given', async () => {
    const { code, stdout } = await runLoam(['mcp', '--help'])
    expect(code).toBe(0)
    const configurations = stdout.match(/^\{.*?^\}/gms)?.map((json) => JSON.parse(json)) ?? []
    const args = [expect.any(String), 'mcp', '--agent', 'assistant', '--user', 'me']
    const command = process.execPath
    expect(configurations).toMatchObject([
      { mcpServers: { loam: { command, args, env: { LOAM_HOME: expect.any(String) } } } },
      { mcpServers: { loam: { env: { LOAM_URL: expect.any(String), LOAM_API_KEY: '<key>' } } } },
    ])
    expect(stdout).not.toContain('--json')
  })
})
