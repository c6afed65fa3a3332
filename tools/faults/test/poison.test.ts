import { runCli } from '@loam/cli'
import { describe, expect, it, vi } from 'vitest'
import { assertNothingLost } from '../src/end-state.js'
import { makeTalks, postRound, withClients, type Talk } from '../src/talk.js'
import { canMakeWorld, type World } from '../src/world.js'
import { PATIENCE, useWorld } from './use-world.js'

interface DeadLetters {
  readonly items: readonly {
    readonly id: string
    readonly consumer: string
    readonly lastError: string
  }[]
}

describe.skipIf(!(await canMakeWorld()))('a poisoned job', () => {
  let world: World
  const talks: Talk[] = []

  // One at a time, so that a job that came back at once would keep the others from their turn.
  useWorld({ settings: { LOAM_WORKER_CONCURRENCY: '1' } }, async (made) => {
    world = made
    await Promise.all([world.start('api'), world.start('worker')])
  })

  /** Runs `loam` against the world's API, and returns what it prints. */
  async function loam<Printed>(...args: string[]): Promise<Printed> {
    let printed = ''
    const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      printed += String(text)
      return true
    })
    try {
      const url = world.processes.find(({ app }) => app === 'api')?.url ?? ''
      const code = await runCli([...args, '--json', '--url', url, '--api-key', world.apiKey])
      expect({ code, printed }).toMatchObject({ code: 0 })
      return JSON.parse(printed) as Printed
    } finally {
      write.mockRestore()
    }
  }

  function begin(count: number, name: string): Talk[] {
    const begun = makeTalks(count, name)
    talks.push(...begun)
    return begun
  }

  const postAll = (some: readonly Talk[]) =>
    withClients(2, some, (talk) => postRound(talk, world.client.demand))

  async function stateOf({ session }: Talk): Promise<string | undefined> {
    const [row] = await world.sql<{ state: string }[]>`
      select d.state from loam.deliveries d
      join loam.events e on e.tenant_id = d.tenant_id and e.id = d.event_id
      join loam.sessions s on s.tenant_id = e.tenant_id and s.id = e.session_id
      where s.key = ${session} order by d.id desc limit 1`
    return row?.state
  }

  /** While it is there, the database takes no episode of that session. */
  async function poison({ session }: Talk): Promise<void> {
    await world.sql.unsafe(`
      create function public.refuse() returns trigger language plpgsql as $$
      begin raise exception 'poison' using errcode = '22000'; end $$;
      create trigger refuse before insert on loam.episodes for each row
        when (new.summary like '% ${session} %') execute function public.refuse()`)
  }

  it(
    'holds up no other, ends as a dead letter, and is done when it is replayed after its cause is gone',
    async () => {
      const [poisoned, ...others] = [...begin(1, 'poison'), ...begin(12, 'sound')]
      if (!poisoned) throw new Error('There is no talk.')
      await poison(poisoned)
      await postAll([poisoned, ...others])
      await world.until('the others are done', async () => {
        const states = await Promise.all(others.map(stateOf))
        return states.every((state) => state === 'done')
      })
      await world.until(
        'the poisoned one is dead',
        async () => (await stateOf(poisoned)) === 'dead',
      )

      const { items } = await loam<DeadLetters>('dlq', 'list')
      expect(items).toMatchObject([{ consumer: 'run.completed.episodic' }])
      expect(items[0]?.lastError).toContain('22000')

      // A dead letter holds up its own session no more than others.
      await postAll(begin(2, 'later'))
      await world.until('later ones are done', async () => {
        const states = await Promise.all(talks.slice(-2).map(stateOf))
        return states.every((state) => state === 'done')
      })

      await world.sql`drop trigger refuse on loam.episodes`
      expect(await loam('dlq', 'replay', items[0]?.id ?? '')).toEqual({ replayed: 1 })
      await world.allDone()
      expect(await loam<DeadLetters>('dlq', 'list')).toMatchObject({ items: [] })
      await assertNothingLost(world, talks)
    },
    PATIENCE,
  )

  it(
    'that this release cannot read holds up no other either',
    async () => {
      const [strange, ...others] = [...begin(1, 'strange'), ...begin(6, 'known')]
      if (!strange) throw new Error('There is no talk.')
      const hold = world.model.hold()
      await postAll(begin(1, 'busy'))
      await hold.reached()
      await postAll([strange])
      // As an event of a later release would look, after a step back to this one.
      await world.sql`
        update loam.events e set payload = payload || '{"later": true}' from loam.sessions s
        where s.tenant_id = e.tenant_id and s.id = e.session_id and s.key = ${strange.session} and e.type = 'run.completed'`
      await world.until('it has been sent again, or nobody can send it', async () => {
        const [row] = await world.sql<{ met: boolean }[]>`
          select d.attempt >= 3 or d.lease_until < now() - interval '1 second' as met
          from loam.deliveries d join loam.events e on e.tenant_id = d.tenant_id and e.id = d.event_id
          where e.payload ? 'later'`
        return row?.met ?? false
      })
      hold.release()
      await postAll(others)
      await world.until('the others are done', async () => {
        const states = await Promise.all(others.map(stateOf))
        return states.every((state) => state === 'done')
      })
      expect(await stateOf(strange)).not.toBe('done')

      await world.sql`update loam.events set payload = payload - 'later'`
      await world.allDone()
      await assertNothingLost(world, talks)
    },
    PATIENCE,
  )
})
