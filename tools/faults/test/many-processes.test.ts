import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { ApiClient } from '../src/api-client.js'
import { dumpOf, type Dump } from '../src/dump.js'
import { assertNothingLost } from '../src/end-state.js'
import { makeTalks, postRound, withClients } from '../src/talk.js'
import { canMakeWorld, createWorld, type World } from '../src/world.js'

const PATIENCE = 300_000
const SESSIONS = 24
const ROUNDS = 2

interface Crew {
  readonly apis: number
  readonly workers: number
  readonly clients: number
}

describe.skipIf(!(await canMakeWorld()))('two APIs and three workers', () => {
  const worlds: World[] = []
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return
    for (const world of worlds) console.error(await world.describe())
  })
  afterAll(() => Promise.all(worlds.map((world) => world.close())))

  /** The same conversations, said to that many processes. */
  async function endState({ apis, workers, clients }: Crew): Promise<Dump> {
    const world = await createWorld({
      delayMs: () => Math.random() * 20,
      // What is sent again after its lease may be overtaken, and the stretches are others then.
      settings: { LOAM_LEASE_MS: '30000' },
    })
    worlds.push(world)
    const first = await world.start('api')
    const others = Array.from({ length: apis - 1 }, () => world.start('api'))
    const atWork = Array.from({ length: workers }, () => world.start('worker'))
    const all = [first, ...(await Promise.all(others))].map((api) => world.clientOf({ api }))
    await Promise.all(atWork)

    const talks = makeTalks(SESSIONS)
    await withClients(clients, talks, async (talk) => {
      for (let round = 0; round < ROUNDS; round += 1) await postRound(talk, toAll(all))
    })
    await world.allDone()
    await assertNothingLost(world, talks)
    const dump = await dumpOf(world.sql)
    await Promise.all(world.processes.map((process) => process.kill()))
    return dump
  }

  it(
    'leave the same as one of each',
    async () => {
      const [alone, together] = await Promise.all([
        endState({ apis: 1, workers: 1, clients: 2 }),
        endState({ apis: 2, workers: 3, clients: 8 }),
      ])
      expect(alone.episodes).toHaveLength(SESSIONS * ROUNDS)
      for (const part of Object.keys(alone) as (keyof Dump)[]) {
        expect({ [part]: together[part] }).toEqual({ [part]: alone[part] })
      }
    },
    PATIENCE,
  )
})

/** Which of two copies came first is told to each. */
function withoutDuplicates(answer: unknown): unknown {
  return JSON.parse(
    JSON.stringify(answer, (key, value: unknown) =>
      ['duplicate', 'duplicates', 'stored'].includes(key) ? undefined : value,
    ),
  )
}

/** Says everything to every API at the same moment, as impatient clients behind a balancer do. */
function toAll(clients: readonly ApiClient[]): ApiClient['demand'] {
  return async <Body>(request: Parameters<ApiClient['demand']>[0]) => {
    const [answer, ...copies] = await Promise.all(
      clients.map((client) => client.demand<Body>(request)),
    )
    for (const copy of copies) expect(withoutDuplicates(copy)).toEqual(withoutDuplicates(answer))
    return answer as Body
  }
}
