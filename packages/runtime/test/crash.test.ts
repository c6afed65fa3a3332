import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEFAULT_TENANT_ID } from '@loam/storage'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createRuntime, loadConfig } from '../src/index.js'

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'loam-crash-'))
})
afterEach(() => rm(home, { recursive: true }))

/** Runs the child until it says that it is there, and kills it. */
async function killAt(moment: string): Promise<void> {
  const child = spawn(
    process.execPath,
    [
      '--conditions=@loam/source',
      '--import=tsx',
      join(import.meta.dirname, 'crash-child.ts'),
      home,
      moment,
    ],
    { cwd: join(import.meta.dirname, '..', '..', '..'), stdio: ['pipe', 'pipe', 'inherit'] },
  )
  let output = ''
  child.stdout.on('data', (data: Buffer) => {
    output += data.toString()
    if (output.includes('ready')) child.kill('SIGKILL')
  })
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  expect({ code, signal }).toEqual({ code: null, signal: 'SIGKILL' })
}

describe('an embedded process that is killed', () => {
  it.each([
    ['after a run was reported', 'reported'],
    ['while an episode is written', 'handling'],
  ])('%s leaves exactly one episode after the next start', async (_when, moment) => {
    await killAt(moment)
    await using runtime = await createRuntime(loadConfig({ LOAM_HOME: home }, { cwd: home }))
    await runtime.start()
    await runtime.settle()
    const { items } = await runtime.storage.transaction(
      { tenantId: DEFAULT_TENANT_ID, userId: 'ann' },
      async ({ agents, episodes }) => {
        const agent = await agents.find('helper')
        return episodes.list(agent!.id, { limit: 10, now: new Date() })
      },
    )
    expect(items).toMatchObject([{ firstSequence: 1, lastSequence: 6, method: 'rules' }])
    expect((await runtime.status(DEFAULT_TENANT_ID)).deliveries).toEqual([
      { consumer: 'run.completed.episodic', state: 'done', count: 1 },
    ])
  })
})
