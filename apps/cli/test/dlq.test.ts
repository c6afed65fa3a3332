import { generateId } from '@loam/core'
import { createRuntime, loadConfig, type Runtime } from '@loam/runtime'
import { serveApi } from '@loam/server/node'
import { DEFAULT_TENANT_ID } from '@loam/storage'
import { createTestStorage } from '@loam/storage-postgres/testing'
import { describe, expect, it } from 'vitest'
import { runLoam, withHome } from './run-loam.js'

const KEY = 'a-key-of-sixteen-characters-or-more'

/** Stores a conversation and reports its run, and has the work on it given up; returns the delivery's id. */
async function giveUp(runtime: Runtime): Promise<string> {
  const agentId = generateId()
  const scope = { tenantId: DEFAULT_TENANT_ID, agentId, userId: 'u' }
  await runtime.storage.transaction(
    { tenantId: DEFAULT_TENANT_ID, everyUser: true },
    ({ agents }) =>
      agents.create({
        id: agentId,
        key: 'a',
        type: 'open',
        displayName: undefined,
        description: undefined,
        settings: {},
      }),
  )
  await runtime.memory.storeMessages(scope, { key: 'talk' }, [{ role: 'user', content: 'Hi.' }])
  await runtime.reportRun(scope, 'talk', { runId: 'r', status: 'completed' })
  const { deliveries } = runtime.storage.system
  const now = new Date()
  const request = { consumers: ['run.completed.episodic'], now, limit: 1, leaseMs: 1_000 }
  const [sent] = await deliveries.claim(request)
  if (sent === undefined) throw new Error('There is no delivery.')
  await deliveries.begin(sent, new Date(now.getTime() + 1_000))
  await deliveries.fail(sent, { error: 'model_failed: \u001B[31mno', retryAt: undefined })
  return sent.id
}

describe('loam dlq', () => {
  it('lists what was given up, and has it done', async () => {
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
      const env = { LOAM_URL: server.url, LOAM_API_KEY: KEY }
      const id = await giveUp(runtime)

      const doctor = await runLoam(['doctor'], env)
      expect(doctor).toMatchObject({ code: 1 })
      expect(doctor.stdout).toContain('loam dlq list')
      const listed = await runLoam(['dlq', 'list', '--json'], env)
      expect(JSON.parse(listed.stdout)).toMatchObject({
        items: [{ id, consumer: 'run.completed.episodic', tries: 1 }],
        hasMore: false,
      })
      const readable = await runLoam(['dlq', 'list'], env)
      expect(readable.stdout).toContain(id)
      expect(readable.stdout).toContain('agent a, user u, session talk')
      expect(readable.stdout).not.toContain('\u001B[31m')

      for (const unknown of [generateId(), 'nonsense']) {
        const missing = await runLoam(['dlq', 'replay', unknown], env)
        expect(missing).toMatchObject({ code: 1, stdout: '' })
        expect(missing.stderr).toBe(
          `${unknown} is not among the dead letters; see "loam dlq list".\n`,
        )
      }
      const replayed = await runLoam(['dlq', 'replay', id, '--json'], env)
      expect(JSON.parse(replayed.stdout)).toEqual({ replayed: 1 })
      await runtime.start()
      await runtime.settle()
      expect((await runLoam(['dlq', 'list'], env)).stdout).toBe('Nothing was given up.\n')
      expect((await runLoam(['dlq', 'replay', '--all'], env)).stdout).toContain('Nothing')
      expect((await runLoam(['doctor'], env)).code).toBe(0)
    })
  })
})
