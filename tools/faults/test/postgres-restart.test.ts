import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Answer, ApiRequest } from '../src/api-client.js'
import { assertNothingLost } from '../src/end-state.js'
import { AGENT, makeTalks, postRound } from '../src/talk.js'
import { canMakeWorld, type World } from '../src/world.js'
import { PATIENCE, useWorld } from './use-world.js'

const CLIENTS = 4
const AWAY_MS = 2_500
/** How long an answer may take while the database is away, on a busy machine. */
const ANSWER_WITHIN_MS = 15_000

describe.skipIf(!(await canMakeWorld({ ownPostgres: true })))(
  'Postgres that crashes under load',
  () => {
    let world: World

    useWorld({ ownPostgres: true, delayMs: () => Math.random() * 100 }, async (made) => {
      world = made
      await Promise.all([world.start('api'), world.start('worker'), world.start('worker')])
    })

    it(
      'makes the API answer 503 until it is back, and loses nothing',
      async () => {
        const answers: { readonly answer: Answer; readonly request: ApiRequest }[] = []
        const client = world.clientOf({
          onAnswer: (answer, request) => answers.push({ answer, request }),
        })
        const talks = makeTalks(24)
        const over = new AbortController()

        async function post(number: number): Promise<void> {
          const own = talks.filter((_, index) => index % CLIENTS === number)
          for (let round = 0; round < 2 || !over.signal.aborted; round += 1) {
            for (const talk of own) {
              await postRound(talk, client.insist)
              await delay(Math.random() * 100)
            }
          }
        }

        async function search(): Promise<void> {
          while (!over.signal.aborted) {
            await client.ask({
              method: 'POST',
              path: `/agents/${AGENT}/memory/search`,
              body: { userId: 'user-1', query: 'When does the ferry to Lisbon leave?' },
            })
            await delay(50)
          }
        }

        async function crash(): Promise<void> {
          await world.until('runs are being handled', async () => {
            const [row] = await world.sql<{ count: number }[]>`
              select count(*)::int as count from loam.deliveries where state = 'running'`
            return (row?.count ?? 0) > 0
          })
          await world.postgres?.crash()
          await delay(AWAY_MS)
          const away = await fetch(`${world.processes[0]?.url}/health/ready`)
          expect(away.status).toBe(503)
          await world.postgres?.start()
          await world.until('every process is ready again', async () => {
            const ready = world.processes.map(
              async ({ url }) => (await fetch(`${url}/health/ready`)).ok,
            )
            return (await Promise.all(ready)).every(Boolean)
          })
          over.abort()
        }

        const clients = Array.from({ length: CLIENTS }, (_, number) => post(number))
        await Promise.all([crash(), search(), search(), ...clients])
        await world.allDone()
        await assertNothingLost(world, talks)

        const failures = answers.filter(({ answer }) => answer.status >= 300)
        expect(failures.length).toBeGreaterThan(0)
        for (const { answer, request } of failures) {
          expect({ ...answer, request }).toMatchObject({
            status: 503,
            contentType: 'application/problem+json',
            body: { code: 'storage_unavailable' },
          })
        }
        const slowest = Math.max(...answers.map(({ answer }) => answer.elapsedMs))
        expect(slowest).toBeLessThan(ANSWER_WITHIN_MS)
        for (const { isRunning } of world.processes) expect(isRunning).toBe(true)
      },
      PATIENCE,
    )
  },
)
