import { describe, expect, it } from 'vitest'
import { assertNothingLost } from '../src/end-state.js'
import { makeTalks, postRound, type Talk } from '../src/talk.js'
import { canMakeWorld, type World } from '../src/world.js'
import { PATIENCE, useWorld } from './use-world.js'

const IN_HAND = 4

describe.skipIf(!(await canMakeWorld()))('a worker that is told to stop', () => {
  let world: World
  const talks: Talk[] = []

  useWorld(
    {
      settings: {
        LOAM_WORKER_CONCURRENCY: String(IN_HAND),
        // Nothing is to be done again for want of a lease, so that calls can be counted.
        LOAM_LEASE_MS: '30000',
      },
    },
    async (made) => {
      world = made
      await world.start('api')
    },
  )

  async function postRuns(name: string): Promise<void> {
    const begun = makeTalks(IN_HAND, name)
    talks.push(...begun)
    for (const talk of begun) await postRound(talk, world.client.demand)
  }

  it(
    'finishes what it has in hand, and takes nothing more',
    async () => {
      const worker = await world.start('worker', { LOAM_DRAIN_MS: '120000' })
      const hold = world.model.hold()
      await postRuns('hand')
      await hold.reached(IN_HAND)
      await postRuns('waiting')
      worker.tellToStop()
      await worker.logged('worker-draining')
      hold.release()
      expect(await worker.ended).toBe(0)
      expect(world.model.calls).toBe(IN_HAND)
      const [row] = await world.sql<{ done: number; tries: number }[]>`
        select count(*)::int as done, sum(tries)::int as tries from loam.deliveries where state = 'done'`
      expect(row).toEqual({ done: IN_HAND, tries: IN_HAND })

      await world.start('worker')
      await world.allDone()
      expect(world.model.calls).toBe(2 * IN_HAND)
      await assertNothingLost(world, talks)
    },
    PATIENCE,
  )

  it(
    'without time for it gives back what it has in hand, for another',
    async () => {
      await world.processes.at(-1)?.kill()
      const before = world.model.calls
      const worker = await world.start('worker', { LOAM_DRAIN_MS: '0' })
      const hold = world.model.hold()
      await postRuns('given')
      await hold.reached(IN_HAND)
      worker.tellToStop()
      expect(await worker.ended).toBe(0)
      const [row] = await world.sql<{ open: number; tries: number }[]>`
        select count(*)::int as open, sum(tries)::int as tries from loam.deliveries
        where state in ('pending', 'sent') and last_error is null`
      // What was interrupted is nobody's failure.
      expect(row).toEqual({ open: IN_HAND, tries: 0 })
      hold.release()

      await world.start('worker')
      await world.allDone()
      expect(world.model.calls).toBe(before + 2 * IN_HAND)
      await assertNothingLost(world, talks)
    },
    PATIENCE,
  )
})
