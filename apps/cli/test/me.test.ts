import { createRuntime, loadConfig } from '@loam/runtime'
import { serveApi } from '@loam/server/node'
import { createTestStorage } from '@loam/storage-postgres/testing'
import { describe, expect, it } from 'vitest'
import { runLoam, withHome } from './run-loam.js'

const KEY = 'a-key-of-sixteen-characters-or-more'
const about = ['--agent', 'helper', '--user', 'ana']

interface World {
  readonly loam: (...args: readonly string[]) => ReturnType<typeof runLoam>
  /** Sends JSON to the server's API. */
  readonly send: (method: string, path: string, body: object) => Promise<unknown>
}

/** Runs a test against a server of its own that has an agent. */
async function withServer(work: (world: World) => Promise<void>): Promise<void> {
  await withHome(async (home) => {
    const settings = {
      LOAM_HOME: home,
      LOAM_DATABASE_URL: 'pglite:memory',
      LOAM_API_KEY: KEY,
      LOAM_PORT: '0',
    }
    await using storage = await createTestStorage()
    await using runtime = await createRuntime(loadConfig(settings, { cwd: home }), { storage })
    await using server = await serveApi({ runtime })
    const loam: World['loam'] = (...args) =>
      runLoam(args, { LOAM_URL: server.url, LOAM_API_KEY: KEY })
    const headers = { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' }
    const send: World['send'] = async (method, path, body) =>
      await fetch(`${server.url}/v1/agents/helper/${path}`, {
        method,
        headers,
        body: JSON.stringify(body),
      })
    await loam('agent', 'create', 'helper')
    await work({ loam, send })
  })
}

const say = ({ send }: World, content: string) =>
  send('POST', 'sessions/s1/messages', { userId: 'ana', messages: [{ role: 'user', content }] })

describe('loam me', () => {
  it('shows what is held about a person, erases it when that is meant, and shows that it is gone', async () => {
    await withServer(async (world) => {
      const { loam } = world
      expect((await loam('me', 'list', ...about)).stdout).toContain('Nothing is held about ana')
      await say(world, 'I moved to Porto.')
      expect((await loam('me', 'list', ...about)).stdout).toMatch(
        /message +s1 #1\n +I moved to Porto\.\n +message:[0-9a-f-]+:1\n/,
      )
      expect((await loam('me', 'list', ...about, '--kind', 'episode')).stdout).toContain(
        'No episode',
      )
      expect((await loam('me', 'verify', ...about)).code).toBe(1)
      expect((await loam('me', 'erase', ...about)).code).toBe(2)
      const erased = await loam('me', 'erase', ...about, '--yes')
      expect(erased.stdout).toContain('1 message\n')
      expect(await loam('me', 'verify', ...about)).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('Nothing is held about ana'),
      })
      const json = JSON.parse((await loam('me', 'verify', ...about, '--json')).stdout)
      expect(json).toMatchObject({ isEmpty: true, held: { messages: 0 } })
    })
  })

  it('shows what has a text in it, and forgets that when it is meant', async () => {
    await withServer(async (world) => {
      const { loam } = world
      await say(world, 'I moved to Porto.')
      await say(world, 'I like tea.')
      const porto = [...about, '--containing', 'porto']
      expect((await loam('me', 'list', ...porto)).stdout).not.toContain('tea')
      const preview = await loam('me', 'forget', ...porto)
      expect(preview).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('I moved to Porto'),
      })
      expect(preview.stderr).toContain('Nothing is forgotten yet')
      const forgotten = await loam('me', 'forget', ...porto, '--yes')
      expect(forgotten.stdout).toContain('1 message\n')
      expect((await loam('me', 'list', ...porto)).stdout).toContain('Nothing with "porto" in it')
      expect((await loam('me', 'list', ...about)).stdout).toContain('I like tea')
    })
  })

  it('forgets and corrects items by their ids', async () => {
    await withServer(async ({ loam, send }) => {
      await send('PUT', 'memory/documents/MEMORY.md', { userId: 'ana', content: 'Ana likes tea.' })
      const list = async () =>
        JSON.parse((await loam('me', 'list', ...about, '--json')).stdout).items
      const [{ id }] = await list()
      const corrected = await loam('me', 'correct', ...about, id, 'Ana likes coffee.')
      expect(corrected.stdout).toContain('Ana likes coffee.')
      expect(await list()).toMatchObject([{ id, text: 'Ana likes coffee.' }])
      expect((await loam('me', 'forget', ...about, id)).stdout).toContain('1 document\n')
      expect(await list()).toEqual([])
      expect((await loam('me', 'forget', ...about, id)).code).toBe(1)
    })
  })

  it.each([
    [['forget']],
    [['forget', 'file:USER.md', '--containing', 'x']],
    [['list', '--limit', '0']],
  ])('refuses %j', async (args) => {
    const [name = '', ...rest] = args
    expect((await runLoam(['me', name, ...about, ...rest])).code).toBe(2)
  })
})
