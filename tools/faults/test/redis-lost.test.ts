import { describe, expect, it } from 'vitest'
import { assertNothingLost } from '../src/end-state.js'
import type { LoamProcess } from '../src/processes/loam-process.js'
import { makeTalks, postMessages, postRound, postRun, withClients, type Talk } from '../src/talk.js'
import { canMakeWorld, type World } from '../src/world.js'
import { PATIENCE, useWorld } from './use-world.js'

const RUNS = 1_000
const SESSIONS = 100
/** What BullMQ keeps besides the messages, and some that are just being sent. */
const KEYS_OF_QUEUES = 60

describe.skipIf(!(await canMakeWorld()))('Redis', () => {
  let world: World
  const talks: Talk[] = []

  // Long enough for a thousand messages to be handled on a busy machine before most of them are sent again.
  useWorld({ settings: { LOAM_LEASE_MS: '5000' } }, async (made) => {
    world = made
    await world.start('api')
  })

  function begin(count: number, name: string): Talk[] {
    const begun = makeTalks(count, name)
    talks.push(...begun)
    return begun
  }

  async function countRuns(state: string): Promise<number> {
    const [row] = await world.sql<{ count: number }[]>`
      select count(*)::int as count from loam.deliveries where state = ${state}`
    return row?.count ?? 0
  }

  it(
    `emptied and killed with ${RUNS} runs pending loses none of them`,
    async () => {
      await withClients(8, begin(SESSIONS, 'pending'), async (talk) => {
        await postMessages(talk, world.client.demand)
        for (let run = 0; run < RUNS / SESSIONS; run += 1) await postRun(talk, world.client.demand)
      })
      await world.until('some are in Redis', async () => (await countRuns('sent')) > 0)
      expect(await countRuns('done')).toBe(0)
      // Though they are sent again and again while there is no worker, each is in Redis once.
      const size = await world.redis.size()
      expect(size).toBeGreaterThan(0)
      expect(size).toBeLessThan((await countRuns('sent')) + KEYS_OF_QUEUES)

      await world.redis.flush()
      await world.redis.kill()
      await world.redis.start()
      await Promise.all([world.start('worker'), world.start('worker')])
      await world.until('some are done', async () => (await countRuns('done')) > RUNS / 5)

      // Once more, in the middle of the work; what is on its disk may be a second old.
      await world.redis.kill()
      await world.redis.start()
      await world.allDone({ timeoutMs: 240_000 })
      await assertNothingLost(world, talks)
    },
    PATIENCE,
  )

  it(
    'is away while runs are posted, which are accepted, and processed when it is back',
    async () => {
      const [api, worker] = world.processes
      if (!api || !worker) throw new Error('The processes are not there.')
      expect(await readiness(worker)).toEqual({ status: 200, queue: true })

      await world.redis.kill()
      const begun = begin(20, 'away')
      const done = await countRuns('done')
      await withClients(4, begun, (talk) => postRound(talk, world.client.demand))
      expect(await readiness(api)).toEqual({ status: 200, queue: false })
      expect(await readiness(worker)).toEqual({ status: 503, queue: false })
      expect(await countRuns('done')).toBe(done)
      // A worker that starts meanwhile waits too.
      const late = await world.start('worker')
      expect((await readiness(late)).status).toBe(503)

      await world.redis.start()
      await world.allDone()
      await assertNothingLost(world, talks)
      for (const process of world.processes) {
        expect(await readiness(process)).toEqual({ status: 200, queue: true })
        expect(process.isRunning).toBe(true)
      }
    },
    PATIENCE,
  )
})

/** How a process says that it stands. */
async function readiness(process: LoamProcess) {
  const response = await fetch(`${process.url}/health/ready`)
  const { checks } = (await response.json()) as {
    readonly checks: readonly { readonly name: string; readonly ok: boolean }[]
  }
  return { status: response.status, queue: checks.find(({ name }) => name === 'queue')?.ok }
}
