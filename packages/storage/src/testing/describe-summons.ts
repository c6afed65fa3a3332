import { describe, expect, it } from 'vitest'
import { NOW, after } from './samples.js'
import type { OpenedStorage } from './suite.js'
import { createWorld } from './world.js'

/** The writing of an agent's files by a model: one at a time, the newest counts. */
export function describeSummons(opened: OpenedStorage): void {
  const done = { state: 'completed', files: [{ name: 'SOUL.md', outcome: 'written' }] } as const

  describe('summons', () => {
    it('are begun by one of those that begin at once', async () => {
      const world = await createWorld(opened())
      const summon = {
        agentId: world.agentId,
        kind: 'create',
        instruction: 'x',
        startedAt: NOW,
      } as const
      const begun = await Promise.all(
        Array.from({ length: 5 }, () =>
          world.asEveryone(({ summons }) => summons.start(summon, after(-60_000))),
        ),
      )
      expect(begun.filter(Boolean)).toMatchObject([{ generation: 1, state: 'running', files: [] }])
    })

    it('end once, and only those that are running', async () => {
      const world = await createWorld(opened())
      const { agentId } = world
      await world.asEveryone(async ({ summons }) => {
        const start = (seconds: number) =>
          summons.start(
            { agentId, kind: 'regenerate', instruction: 'x', startedAt: after(seconds * 1_000) },
            after(seconds * 1_000 - 60_000),
          )
        expect(await summons.cancel(agentId, NOW)).toBe(false)
        await start(0)
        expect(await start(10)).toBeUndefined()
        const outcome = { ...done, finishedAt: after(20) }
        expect(await summons.finish(agentId, 2, outcome)).toBe(false)
        expect(await summons.finish(agentId, 1, outcome)).toBe(true)
        expect(await summons.finish(agentId, 1, outcome)).toBe(false)
        expect(await summons.find(agentId)).toMatchObject({ ...outcome, generation: 1 })
        expect(await start(30)).toMatchObject({ generation: 2, files: [], finishedAt: undefined })
        expect(await summons.cancel(agentId, after(31))).toBe(true)
        expect(await summons.finish(agentId, 2, outcome)).toBe(false)
        expect(await summons.find(agentId)).toMatchObject({ state: 'cancelled', generation: 3 })
      })
    })

    it('are begun anew when one has been running for too long', async () => {
      const world = await createWorld(opened())
      const { agentId } = world
      await world.asEveryone(async ({ summons }) => {
        const summon = { agentId, kind: 'create', instruction: 'x' } as const
        await summons.start({ ...summon, startedAt: NOW }, after(-60_000))
        const again = await summons.start({ ...summon, startedAt: after(90_000) }, after(30_000))
        expect(again).toMatchObject({ generation: 2 })
        const error = { code: 'model_failed', message: 'No answer.' }
        const outcome = { state: 'failed', files: [], error, finishedAt: after(91) } as const
        expect(await summons.finish(agentId, 2, outcome)).toBe(true)
        expect(await summons.find(agentId)).toMatchObject({ state: 'failed', error })
      })
    })
  })
}
