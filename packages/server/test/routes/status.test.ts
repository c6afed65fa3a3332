import { generateId } from '@loam/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestApi, url, type TestApi } from '../open-test-api.js'

let test: TestApi
beforeAll(async () => {
  test = await openTestApi()
  const agent = await test.addAgent()
  const messages = [{ role: 'user', content: 'Ana lives in Porto.' }]
  const session = url`/v1/agents/${agent}/sessions/s`
  await test.send('POST', `${session}/messages`, { body: { userId: 'alice', messages } })
  const run = { userId: 'alice', runId: 'r', status: 'completed' }
  await test.send('POST', `${session}/runs`, { body: run })
})
afterAll(async () => {
  await test.close()
})

it('counts what is indexed and what waits', async () => {
  const { status, body } = await test.send('GET', '/v1/status')
  expect(status).toBe(200)
  expect(body.index).toMatchObject({ chunks: 1, withoutVector: 0, languages: ['en'] })
  expect(body.deliveries).toEqual([
    { consumer: 'run.completed.episodic', state: 'pending', count: 1 },
  ])
  expect(body.usage).toMatchObject({ calls: 0, chargedTokens: 0, costUsd: 0 })
  expect(body.usage.since).toMatch(/T00:00:00\.000Z$/)
  expect(body.checks).toContainEqual(expect.objectContaining({ name: 'storage', ok: true }))
})

it('says what work waits for that was put off', async () => {
  const { deliveries } = test.runtime.storage.system
  const now = new Date()
  const [sent] = await deliveries.claim({
    consumers: ['run.completed.episodic'],
    now,
    limit: 1,
    leaseMs: 60_000,
  })
  const runAfter = new Date(now.getTime() + 60_000)
  await deliveries.release(sent!, { runAfter, reason: 'model_failed: No such model.' })
  const { body } = await test.send('GET', '/v1/status')
  expect(body.waiting).toEqual([
    {
      consumer: 'run.completed.episodic',
      reason: 'model_failed: No such model.',
      count: 1,
      nextAt: runAfter.toISOString(),
    },
  ])
})

it('counts nothing of another tenant', async () => {
  const key = await test.addKey({ tenantId: generateId() })
  const { body } = await test.send('GET', '/v1/status', { key })
  expect(body).toMatchObject({
    index: { chunks: 0 },
    deliveries: [],
    waiting: [],
    usage: { calls: 0 },
  })
})

it('refuses a key that is bound to a user', async () => {
  const key = await test.addKey({ userId: 'alice' })
  expect((await test.send('GET', '/v1/status', { key })).status).toBe(403)
})
