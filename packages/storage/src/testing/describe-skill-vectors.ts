import { describe, expect, it } from 'vitest'
import type { OpenedStorage } from './suite.js'
import { createWorld } from './world.js'

/** What skills mean, by the hash of their text. */
export function describeSkillVectors(opened: OpenedStorage): void {
  describe('vectors of skills', () => {
    it('are kept by the hash of their text, in each space by itself', async () => {
      const world = await createWorld(opened())
      await world.as('ada', async ({ embeddingSpaces, skillVectors }) => {
        const model = { provider: 'test', dimensions: 3 }
        const [one, two] = [
          await embeddingSpaces.ensure({ ...model, model: 'one' }),
          await embeddingSpaces.ensure({ ...model, model: 'two' }),
        ]
        const vector = Float32Array.of(0.1, -2.5, 3e-20)
        await skillVectors.put(one.id, [
          { textHash: 'a', vector: Float32Array.of(1, 1, 1) },
          { textHash: 'a', vector },
          { textHash: 'b', vector: Float32Array.of(0, 0, 0) },
        ])
        await skillVectors.put(two.id, [{ textHash: 'c', vector }])
        expect(await skillVectors.read(one.id, ['a', 'c'])).toEqual([{ textHash: 'a', vector }])
        expect(await skillVectors.read(one.id, [])).toEqual([])
        expect(await skillVectors.prune(['a'])).toBe(2)
        expect(await skillVectors.read(one.id, ['a', 'b'])).toEqual([{ textHash: 'a', vector }])
      })
      const wrong = world.as('ada', async ({ embeddingSpaces, skillVectors }) => {
        const space = await embeddingSpaces.ensure({
          provider: 'test',
          model: 'one',
          dimensions: 3,
        })
        await skillVectors.put(space.id, [{ textHash: 'a', vector: Float32Array.of(1) }])
      })
      await expect(wrong).rejects.toMatchObject({ code: 'vector_dimension_mismatch' })
    })
  })
}
