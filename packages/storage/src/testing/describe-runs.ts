import { NotFoundError, generateId } from '@loam/core'
import { describe, expect, it } from 'vitest'
import { sampleRun } from './samples.js'
import type { OpenedStorage } from './suite.js'
import { createWorld } from './world.js'

/** Runs: a report that is sent twice counts once. */
export function describeRuns(opened: OpenedStorage): void {
  describe('runs', () => {
    it('stores a run once by the client’s id, and returns the stored one', async () => {
      const world = await createWorld(opened())
      const sessionId = await world.addSession('ada')
      const run = sampleRun({
        sessionId,
        runId: 'r-1',
        compactionSummary: 'so far 👍',
        usage: { inputTokens: 12, outputTokens: 3 },
        lastSequence: 9,
      })
      const insert = (given: typeof run) => world.as('ada', ({ runs }) => runs.insertIfNew(given))
      const first = await insert(run)
      expect(first).toMatchObject({ run, created: true })
      const again = await insert({ ...sampleRun({ sessionId, runId: 'r-1' }), status: 'failed' })
      expect(again).toEqual({ run: first.run, created: false })
      const found = await world.as('ada', ({ runs }) => runs.find(run.id))
      expect(found).toEqual(first.run)
      expect(await world.as('bob', ({ runs }) => runs.find(run.id))).toBeUndefined()
      const elsewhere = sampleRun({ sessionId: await world.addSession('ada'), runId: 'r-1' })
      expect(await insert(elsewhere)).toMatchObject({ created: true })
    })

    it('returns the newest run of a session', async () => {
      const world = await createWorld(opened())
      const sessionId = await world.addSession('ada')
      const latest = () => world.as('ada', ({ runs }) => runs.latest(sessionId))
      expect(await latest()).toBeUndefined()
      for (const runId of ['r-1', 'r-2', 'r-3']) {
        await world.as('ada', ({ runs }) => runs.insertIfNew(sampleRun({ sessionId, runId })))
        expect(await latest()).toMatchObject({ runId })
      }
    })

    it('refuses a run of a session that the user has not', async () => {
      const world = await createWorld(opened())
      const others = await world.addSession('bob')
      for (const sessionId of [others, generateId(), 'nonsense']) {
        const insert = world.as('ada', ({ runs }) => runs.insertIfNew(sampleRun({ sessionId })))
        await expect(insert).rejects.toSatisfy((error) => NotFoundError.isInstance(error))
      }
    })
  })
}
