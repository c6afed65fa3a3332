import { generateId } from '@loam/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestApi, url, type TestApi } from '../open-test-api.js'

let test: TestApi
let agent: string
beforeAll(async () => {
  test = await openTestApi()
  agent = await test.addAgent()
})
afterAll(async () => {
  await test.close()
})

/** Reports a run whose work then fails for good. */
async function addDeadLetter(error = 'model_failed: no', name = generateId()): Promise<string> {
  const session = url`/v1/agents/${agent}/sessions/${name}`
  const messages = [{ role: 'user', content: 'Ana lives in Porto.' }]
  await test.send('POST', `${session}/messages`, { body: { userId: 'alice', messages } })
  const run = { userId: 'alice', runId: generateId(), status: 'completed' }
  await test.send('POST', `${session}/runs`, { body: run })
  const { deliveries } = test.runtime.storage.system
  const now = new Date()
  const [sent] = await deliveries.claim({
    consumers: ['run.completed.episodic'],
    now,
    limit: 1,
    leaseMs: 60_000,
  })
  if (!sent) throw new Error('There is no delivery.')
  await deliveries.begin(sent, new Date(now.getTime() + 60_000))
  await deliveries.fail(sent, { error, retryAt: undefined })
  return sent.id
}

const list = async (query = '', key?: string) =>
  test.send('GET', `/v1/dead-letters${query}`, key === undefined ? {} : { key })
const replay = (body: unknown, key?: string) =>
  test.send('POST', '/v1/dead-letters/replay', { body, ...(key !== undefined && { key }) })

it('lists the work that was given up, newest first and page by page, and has it tried again', async () => {
  expect((await list()).body).toEqual({ items: [] })
  const ids = [await addDeadLetter(), await addDeadLetter(), await addDeadLetter('other', 'monday')]
  const first = await list('?limit=2')
  expect(first.body.items).toMatchObject([
    {
      id: ids[2],
      consumer: 'run.completed.episodic',
      tries: 1,
      lastError: 'other',
      event: { type: 'run.completed', agent, userId: 'alice', session: 'monday' },
    },
    { id: ids[1] },
  ])
  const second = await list(`?limit=2&cursor=${first.body.nextCursor}`)
  expect(second.body).toMatchObject({ items: [{ id: ids[0] }] })
  expect(second.body.nextCursor).toBeUndefined()

  expect((await replay({ ids: [ids[1], generateId()] })).body).toEqual({ replayed: 1 })
  expect((await replay({ ids: [ids[1]] })).body).toEqual({ replayed: 0 })
  expect((await replay({ consumer: 'nobody' })).body).toEqual({ replayed: 0 })
  expect((await replay({ consumer: 'run.completed.episodic' })).body).toEqual({
    replayed: 2,
  })
  expect((await list()).body).toEqual({ items: [] })
})

it('shows and replays nothing of another tenant', async () => {
  const id = await addDeadLetter()
  const key = await test.addKey({ tenantId: generateId() })
  expect((await list('', key)).body).toEqual({ items: [] })
  expect((await replay({ ids: [id] }, key)).body).toEqual({ replayed: 0 })
  expect((await replay({}, key)).body).toEqual({ replayed: 0 })
  expect((await list()).body.items).toMatchObject([{ id }])
})

it('refuses keys of one user, cursors that are none, and ids that are none', async () => {
  const key = await test.addKey({ userId: 'alice' })
  for (const answer of [await list('', key), await replay({}, key)]) {
    expect(answer.status).toBe(403)
  }
  expect((await list('?cursor=nonsense')).status).toBe(400)
  expect((await replay({ ids: ['nonsense'] })).status).toBe(400)
  expect((await replay({ ids: [] })).status).toBe(400)
  expect((await replay({ all: true })).status).toBe(400)
})
