import { beforeEach, describe, expect, it } from 'vitest'
import { assertNothingLost } from '../src/end-state.js'
import { holdLock } from '../src/held-lock.js'
import type { LoamProcess } from '../src/processes/loam-process.js'
import { makeTalks, postRound, type Talk } from '../src/talk.js'
import { canMakeWorld, type World } from '../src/world.js'
import { PATIENCE, useWorld } from './use-world.js'

const EPISODIC = 'run.completed.episodic'

describe.skipIf(!(await canMakeWorld()))('a worker that is killed', () => {
  let world: World
  let worker: LoamProcess
  let triesBefore = 0
  const talks: Talk[] = []

  // One job at a time, so that the next one waits in Redis while a test looks at this one.
  useWorld({ settings: { LOAM_WORKER_CONCURRENCY: '1' } }, async (made) => {
    world = made
    await world.start('api')
    worker = await world.start('worker')
  })

  // After a test that failed there is none.
  beforeEach(async () => {
    if (!worker.isRunning) worker = await world.start('worker')
  }, PATIENCE)

  /** A session with a run that waits for a worker. */
  async function talkOf(name: string): Promise<Talk> {
    const [talk] = makeTalks(1, name)
    if (!talk) throw new Error('There is no talk.')
    talks.push(talk)
    await postRound(talk, world.client.demand)
    return talk
  }

  async function killWorker(): Promise<void> {
    await worker.kill()
    expect(await worker.ended).toBe('SIGKILL')
  }

  /** The next worker does what the killed one left, and asks the model no more often than it has to. */
  async function expectRecovery(
    before: number,
    { begun, calls }: { readonly begun: number; readonly calls: number },
  ): Promise<void> {
    worker = await world.start('worker')
    await world.allDone()
    await assertNothingLost(world, talks)
    const [row] = await world.sql<{ tries: number }[]>`
      select sum(tries)::int as tries from loam.deliveries where consumer = ${EPISODIC}`
    const tries = (row?.tries ?? 0) - triesBefore
    triesBefore += tries
    expect(tries).toBeGreaterThanOrEqual(begun)
    // On a machine that stands still for a second a lease is lost, and the work is begun once more.
    expect(world.model.calls - before).toBeLessThanOrEqual(calls + tries - begun)
    expect(world.model.calls - before).toBeGreaterThanOrEqual(calls)
  }

  async function deliveryOf({ session }: Talk): Promise<{ id: string; state: string } | undefined> {
    const [row] = await world.sql<{ id: string; state: string }[]>`
      select d.id, d.state from loam.deliveries d
      join loam.events e on e.tenant_id = d.tenant_id and e.id = d.event_id
      join loam.sessions s on s.tenant_id = e.tenant_id and s.id = e.session_id
      where s.key = ${session} and d.consumer = ${EPISODIC} order by d.id desc limit 1`
    return row
  }

  async function episodesOf({ session }: Talk): Promise<number> {
    const [row] = await world.sql<{ count: number }[]>`
      select count(*)::int as count from loam.episodes e
      join loam.sessions s on s.tenant_id = e.tenant_id and s.id = e.session_id where s.key = ${session}`
    return row?.count ?? 0
  }

  const lockDelivery = async (talk: Talk) => {
    const { id } = (await deliveryOf(talk)) ?? { id: '' }
    return await holdLock(
      world.databaseUrl,
      `select from loam.deliveries where id = '${id}' for update`,
    )
  }

  it(
    'before it has begun a delivery leaves it for the next',
    async () => {
      const before = world.model.calls
      const busy = world.model.hold('busy0')
      await talkOf('busy')
      await busy.reached()
      const talk = await talkOf('waiting')
      await world.until('the delivery is sent', async () => {
        return (await deliveryOf(talk))?.state === 'sent'
      })
      const lock = await lockDelivery(talk)
      try {
        busy.release()
        await lock.awaited(/set state = 'running'/)
        await killWorker()
        await lock.dropWaiting()
      } finally {
        await lock.release()
      }
      expect(await episodesOf(talk)).toBe(0)
      await expectRecovery(before, { begun: 2, calls: 2 })
    },
    PATIENCE,
  )

  it(
    'while the model is thinking leaves one episode',
    async () => {
      const before = world.model.calls
      const hold = world.model.hold()
      const talk = await talkOf('asked')
      await hold.reached()
      await killWorker()
      hold.release()
      expect(await episodesOf(talk)).toBe(0)
      await expectRecovery(before, { begun: 2, calls: 2 })
    },
    PATIENCE,
  )

  it(
    'before the first write of an episode leaves one episode',
    async () => {
      const before = world.model.calls
      const hold = world.model.hold()
      const talk = await talkOf('summed')
      await hold.reached()
      const lock = await holdLock(
        world.databaseUrl,
        `select from loam.sessions where key = '${talk.session}' for update`,
      )
      try {
        hold.release()
        await lock.awaited(/"sessions".* for no key update/)
        await killWorker()
      } finally {
        await lock.release()
      }
      expect(await episodesOf(talk)).toBe(0)
      await expectRecovery(before, { begun: 2, calls: 2 })
    },
    PATIENCE,
  )

  it(
    'between an episode and its event leaves neither, and then one of each',
    async () => {
      const before = world.model.calls
      const hold = world.model.hold()
      const talk = await talkOf('written')
      await hold.reached()
      const lock = await holdLock(world.databaseUrl, 'lock table loam.events in share mode')
      try {
        hold.release()
        await lock.awaited(/insert into "?loam"?\."?events"?/)
        await killWorker()
      } finally {
        await lock.release()
      }
      await world.until('the connections of the worker are gone', async () => {
        const waiting = await world.sql`select from pg_stat_activity
        where datname = current_database() and application_name = 'loam' and query like 'insert into%events%' and state <> 'idle'`
        return waiting.length === 0
      })
      expect(await episodesOf(talk)).toBe(0)
      await expectRecovery(before, { begun: 2, calls: 2 })
    },
    PATIENCE,
  )

  it(
    'after the episode and before the delivery is done writes it no second time',
    async () => {
      const before = world.model.calls
      const hold = world.model.hold()
      const talk = await talkOf('stored')
      await hold.reached()
      const lock = await lockDelivery(talk)
      try {
        hold.release()
        await lock.awaited(/set state = 'done'/)
        await world.until('the episode is there', async () => (await episodesOf(talk)) === 1)
        await killWorker()
        await lock.dropWaiting()
      } finally {
        await lock.release()
      }
      expect((await deliveryOf(talk))?.state).not.toBe('done')
      await expectRecovery(before, { begun: 2, calls: 1 })
    },
    PATIENCE,
  )
})
