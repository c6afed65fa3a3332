import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateId } from '@loam/core'
import { DEFAULT_TENANT_ID } from '@loam/storage'
import { sample, shuffledSubarray } from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRuntime, loadConfig, type Runtime } from '../src/index.js'
import { AGENT, CHILD, MESSAGE_IDS, SESSIONS, live } from './crash-life.js'

const KILLS = Number(process.env['LOAM_TEST_FAULT_KILLS'] || 5)
const SEED = Number(process.env['LOAM_TEST_FAULT_SEED'] || 20_261_201)
/** Units of work that the loop has at least. */
const UNITS = 40
const PATIENCE = 300_000

let folder: string
let prepared: string

/** A home folder with an agent in it. Making one takes seconds, and copying it none. */
async function prepare(home: string): Promise<void> {
  await using runtime = await createRuntime(loadConfig({ LOAM_HOME: home }, { cwd: home }))
  await runtime.storage.transaction(
    { tenantId: DEFAULT_TENANT_ID, everyUser: true },
    ({ agents }) =>
      agents.create({
        id: generateId(),
        key: AGENT,
        type: 'open',
        displayName: undefined,
        description: undefined,
        settings: {},
      }),
  )
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-crash-'))
  prepared = join(folder, 'prepared')
  await prepare(prepared)
}, PATIENCE)
afterAll(() => rm(folder, { recursive: true }))

/** A copy of the prepared folder for one test. */
async function withHome(use: (home: string) => Promise<void>): Promise<void> {
  const home = await mkdtemp(join(folder, 'home-'))
  await cp(prepared, home, { recursive: true })
  await use(home)
  await rm(home, { recursive: true })
}

/** Runs the child, which kills itself at that unit of work. */
async function dieAt(home: string, moment: string, unit: number): Promise<void> {
  const child = spawn(
    process.execPath,
    ['--conditions=@loam/source', '--import=tsx', CHILD, home, moment, String(unit)],
    { cwd: join(import.meta.dirname, '..', '..', '..'), stdio: ['ignore', 'inherit', 'inherit'] },
  )
  expect(await once(child, 'close')).toEqual([null, 'SIGKILL'])
}

/** Everything is there once, whatever happened before. */
async function expectWhole(runtime: Runtime, agentId: string): Promise<void> {
  await runtime.storage.transaction(
    { tenantId: DEFAULT_TENANT_ID, userId: 'ann' },
    async ({ sessions, messages, episodes }) => {
      for (const key of SESSIONS) {
        const sessionId = (await sessions.findByKey(agentId, key))?.id ?? ''
        const stored = await messages.list(sessionId, { limit: 100 })
        expect(stored.items.map(({ id }) => id)).toEqual(MESSAGE_IDS)
        const made = await episodes.list(agentId, { limit: 100, now: new Date(), sessionId })
        expect(made.items).toMatchObject([
          { firstSequence: 1, lastSequence: MESSAGE_IDS.length, method: 'model' },
        ])
      }
    },
  )
  const { deliveries, index } = await runtime.status(DEFAULT_TENANT_ID)
  const count = SESSIONS.length
  expect(deliveries).toEqual([{ consumer: 'run.completed.episodic', state: 'done', count }])
  expect(index).toMatchObject({ chunks: count * (MESSAGE_IDS.length + 1), withoutVector: 0 })
}

const points = Array.from({ length: UNITS }, (_, index) => index + 1).flatMap((unit) => [
  { moment: 'before', unit },
  { moment: 'after', unit },
])
const count = Math.min(KILLS, points.length)
const [chosen = []] = sample(shuffledSubarray(points, { minLength: count, maxLength: count }), {
  seed: SEED,
  numRuns: 1,
})

describe(`an embedded process (seed ${SEED})`, () => {
  it(
    'that nobody kills goes through all units of work that another is killed at',
    async () => {
      await withHome(async (home) => {
        let units = 0
        await live(home, {
          watch: async (_moment, unit) => {
            units = unit
          },
          check: expectWhole,
        })
        expect(units).toBeGreaterThanOrEqual(UNITS)
      })
    },
    PATIENCE,
  )

  it.each(chosen)(
    'that is killed $moment unit of work $unit has lost nothing and does nothing twice',
    async ({ moment, unit }) => {
      await withHome(async (home) => {
        await dieAt(home, moment, unit)
        // A client says again what was not acknowledged; here, everything.
        await expect(live(home, { check: expectWhole })).resolves.toBeUndefined()
      })
    },
    PATIENCE,
  )
})
