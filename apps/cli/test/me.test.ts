import { createRuntime, loadConfig } from '@loam/runtime'
import { serveApi } from '@loam/server/node'
import { createTestStorage } from '@loam/storage-postgres/testing'
import { expect, it } from 'vitest'
import { runLoam, withHome } from './run-loam.js'

const KEY = 'a-key-of-sixteen-characters-or-more'

it('loam me shows what is held about a person, erases it when that is meant, and shows that it is gone', async () => {
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
    const loam = (...args: readonly string[]) =>
      runLoam(args, { LOAM_URL: server.url, LOAM_API_KEY: KEY })
    const about = ['--agent', 'helper', '--user', 'ana']
    await loam('agent', 'create', 'helper')
    expect((await loam('me', 'list', ...about)).stdout).toContain('Nothing is held about ana')
    await fetch(`${server.url}/v1/agents/helper/sessions/s1/messages`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        userId: 'ana',
        messages: [{ role: 'user', content: 'I moved to Porto.' }],
      }),
    })
    expect((await loam('me', 'list', ...about)).stdout).toMatch(
      /message +s1 #1\n +I moved to Porto\./,
    )
    expect((await loam('me', 'list', ...about, '--kind', 'episode')).stdout).toContain('Nothing')
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
