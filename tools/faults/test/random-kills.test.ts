import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { assertNothingLost } from '../src/end-state.js'
import type { LoamProcess } from '../src/processes/loam-process.js'
import { createRandom } from '../src/random.js'
import { readFaultSettings } from '../src/settings.js'
import { makeTalks, postMessages, postRun } from '../src/talk.js'
import { canMakeWorld, type World } from '../src/world.js'
import { PATIENCE, useWorld } from './use-world.js'

const { kills, seed } = readFaultSettings()
/** Starting a process again takes seconds on a busy machine. */
const TEST_PATIENCE = PATIENCE + kills * 30_000
const CLIENTS = 4
const SESSIONS = 40
const CONCURRENCY = 4

describe.skipIf(!(await canMakeWorld()))('processes that are killed at random under load', () => {
  const random = createRandom(seed)
  let world: World

  useWorld(
    {
      // Long enough that a worker mostly has something in hand.
      delayMs: () => Math.floor(Math.random() * 200),
      settings: { LOAM_WORKER_CONCURRENCY: String(CONCURRENCY) },
    },
    async (made) => {
      world = made
      await Promise.all([world.start('api'), world.start('worker'), world.start('worker')])
    },
  )

  it(
    `lose nothing in ${kills} kills (seed ${seed})`,
    async () => {
      const talks = makeTalks(SESSIONS)
      const over = new AbortController()

      /** Goes through some of the sessions again and again; what is not acknowledged is said again in the same words. */
      async function post(client: number): Promise<void> {
        const own = talks.filter((_, index) => index % CLIENTS === client)
        const send = world.client.insist
        for (let round = 0; round < 2 || !over.signal.aborted; round += 1) {
          for (const talk of own) {
            await postMessages(talk, send)
            await delay(Math.random() * 150)
            await postRun(talk, send)
            // Now and then two runs end at the same message.
            if (Math.random() < 0.1) await postRun(talk, send)
          }
        }
      }

      async function killAtRandom(): Promise<void> {
        for (let kill = 1; kill <= kills; kill += 1) {
          const pauseMs = 100 + random.below(1_000)
          await delay(pauseMs)
          const running = world.processes.filter(({ isRunning }) => isRunning)
          // In an order that does not depend on which of them was started again last.
          const victim = random.pick(running.toSorted((a, b) => a.app.localeCompare(b.app)))
          await replace(victim)
        }
        over.abort()
      }

      async function replace(victim: LoamProcess): Promise<void> {
        await victim.kill()
        expect(await victim.ended).toBe('SIGKILL')
        await world.start(victim.app)
      }

      const clients = Array.from({ length: CLIENTS }, (_, client) => post(client))
      await Promise.all([killAtRandom(), ...clients])
      await world.allDone({ timeoutMs: 180_000 })
      await assertNothingLost(world, talks)

      const runs = talks.flatMap((talk) => talk.runs).length
      // What a killed worker had in hand is asked again; and so is, on a busy machine, what lost its lease.
      expect(world.model.calls).toBeLessThanOrEqual(2 * runs + 2 * CONCURRENCY * kills)
    },
    TEST_PATIENCE,
  )
})
