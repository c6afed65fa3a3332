import { NotFoundError, generateId } from '@loam/core'
import { describe, expect, it } from 'vitest'
import { NOW, after } from './samples.js'
import type { OpenedStorage } from './suite.js'
import { createWorld } from './world.js'

/** Calls of models: recorded before they are sent, summed afterwards. */
export function describeModelCalls(opened: OpenedStorage): void {
  describe('model calls', () => {
    it('sums the calls and tokens since a moment', async () => {
      const world = await createWorld(opened())
      const { tenantId, agentId } = world
      const begin = async (userId: string, startedAt: Date) => {
        const id = generateId()
        await world.as(userId, ({ modelCalls }) =>
          modelCalls.begin({
            id,
            scope: { tenantId, agentId, userId },
            task: 'episode.summarise',
            kind: 'chat',
            provider: 'openai-compatible',
            model: 'small',
            startedAt,
          }),
        )
        return id
      }
      const [old, first, second] = [
        await begin('ada', after(-1)),
        await begin('ada', NOW),
        await begin('', after(1)),
      ]
      await begin('bob', after(2))
      const finish = (id: string, tokens: number) =>
        world.as('ada', ({ modelCalls }) =>
          modelCalls.finish(id, {
            status: 'succeeded',
            usage: { inputTokens: tokens, outputTokens: 1 },
            finishedAt: after(10),
          }),
        )
      await finish(old, 1000)
      await finish(first, 3_000_000_000)
      await world.as('ada', ({ modelCalls }) =>
        modelCalls.finish(second, {
          status: 'failed',
          errorCode: 'model_failed',
          finishedAt: after(5),
        }),
      )
      const totals = await world.as('ada', ({ modelCalls }) => modelCalls.totals(NOW))
      expect(totals).toEqual({ calls: 2, inputTokens: 3_000_000_000, outputTokens: 1 })
      const all = await world.asEveryone(({ modelCalls }) => modelCalls.totals(NOW))
      expect(all).toMatchObject({ calls: 3 })
      await expect(finish(generateId(), 1)).rejects.toSatisfy((error) =>
        NotFoundError.isInstance(error),
      )
    })
  })
}
