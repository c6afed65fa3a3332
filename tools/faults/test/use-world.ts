import { afterAll, afterEach, beforeAll } from 'vitest'
import { createWorld, type World, type WorldOptions } from '../src/world.js'

/** Starting processes takes long on a busy machine. */
export const PATIENCE = 300_000

/**
 * Makes a world for the tests of a suite, lets `begin` start processes in it, and closes it in the end. After a test that failed, it
 * prints how the world stands.
 */
export function useWorld(options: WorldOptions, begin: (world: World) => Promise<void>): void {
  let world: World | undefined
  beforeAll(async () => {
    world = await createWorld(options)
    await begin(world)
  }, PATIENCE)
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') console.error(await world?.describe())
  })
  afterAll(() => world?.close(), PATIENCE)
}
