import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  openTestApi,
  url,
  type Answer,
  type RequestOptions,
  type TestApi,
} from './open-test-api.js'

let test: TestApi
let description: { paths: Record<string, Record<string, { responses: Record<string, unknown> }>> }
const ajv = new Ajv2020({ strict: false, validateFormats: false })

beforeAll(async () => {
  test = await openTestApi()
  await test.runtime.start()
  description = (await test.send('GET', '/openapi.json')).body
  ajv.addSchema({ $id: 'openapi', ...description })
})
afterAll(async () => {
  await test.close()
})

/** Sends a request, and holds the answer against what the description of the API says about it. */
async function call(route: string, path: string, options?: RequestOptions): Promise<Answer> {
  const [method = '', pattern = ''] = route.split(' ')
  const answer = await test.send(method, `/v1${path}`, options)
  const { responses } = description.paths[`/v1${pattern}`]?.[method.toLowerCase()] ?? {
    responses: {},
  }
  const isDescribed = String(answer.status) in responses
  const key = isDescribed ? String(answer.status) : 'default'
  const media = isDescribed ? 'application/json' : 'application/problem+json'
  expect(answer.headers.get('Content-Type')).toBe(media)
  const pointer = [
    'paths',
    `/v1${pattern}`,
    method.toLowerCase(),
    'responses',
    key,
    'content',
    media,
    'schema',
  ]
    .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/')
  const validate = ajv.compile({ $ref: `openapi#/${pointer}` })
  validate(answer.body)
  expect(validate.errors).toBeNull()
  return answer
}

const conversation = [
  ['user', 'My sister Ana moved to Porto last spring. She is allergic to peanuts.'],
  ['assistant', 'I will remember that Ana lives in Porto and is allergic to peanuts.'],
  ['user', 'We decided to visit her in May and to rent a red car at the airport.'],
  ['assistant', 'Noted: a trip to Porto in May, with a red rental car.'],
  ['user', 'Please book a table at the restaurant by the river for Saturday.'],
  ['assistant', 'I booked the table by the river for Saturday at eight.'],
].map(([role, content], index) => ({
  id: `m${index + 1}`,
  role,
  content,
  createdAt: new Date(Date.UTC(2026, 10, 29, 9, index)).toISOString(),
}))

describe('the first loop', () => {
  it('takes in a conversation, makes an episode of it, and finds it again', async () => {
    const session = '/agents/{agent}/sessions/{session}'
    const own = url`/agents/assistant/sessions/${'chats/1'}`
    const made = await call('POST /agents', '/agents', {
      body: { key: 'assistant', displayName: 'A' },
    })
    expect(made.status).toBe(201)

    const messages = {
      userId: 'alice',
      messages: conversation,
      newSession: { timezone: 'Europe/Lisbon' },
    }
    const stored = await call(`POST ${session}/messages`, `${own}/messages`, { body: messages })
    expect(stored.body).toMatchObject({ session: 'chats/1', stored: 6, duplicates: 0 })
    const again = await call(`POST ${session}/messages`, `${own}/messages`, { body: messages })
    expect(again.body).toMatchObject({ stored: 0, duplicates: 6 })

    const run = {
      userId: 'alice',
      runId: 'run-1',
      status: 'completed',
      usage: { inputTokens: 900, outputTokens: 120 },
    }
    const accepted = await call(`POST ${session}/runs`, `${own}/runs`, { body: run })
    expect(accepted.status).toBe(202)
    const repeated = await call(`POST ${session}/runs`, `${own}/runs`, { body: run })
    expect(repeated.body).toStrictEqual(accepted.body)
    await test.runtime.settle()

    const episodes = await call(
      'GET /agents/{agent}/episodic',
      url`/agents/assistant/episodic?userId=alice&session=${'chats/1'}`,
    )
    expect(episodes.body.items).toMatchObject([
      { session: 'chats/1', userId: 'alice', firstSequence: 1, lastSequence: 6, method: 'rules' },
    ])

    const found = await call(
      'POST /agents/{agent}/memory/search',
      '/agents/assistant/memory/search',
      {
        body: { userId: 'alice', query: 'What must Ana not eat?', explain: true },
      },
    )
    expect(found.body.results[0].text).toContain('peanuts')
    const inEpisodes = await call(
      'POST /agents/{agent}/memory/search',
      '/agents/assistant/memory/search',
      {
        body: { userId: 'alice', query: 'trip to Porto', sources: ['episodes'] },
      },
    )
    expect(inEpisodes.body.results).toMatchObject([
      { source: 'episodes', episodeId: episodes.body.items[0].id },
    ])
  })

  it('answers every other route as it is described', async () => {
    const own = url`/agents/assistant/sessions/${'chats/1'}`
    await call('GET /agents', '/agents')
    await call('GET /agents/{agent}', '/agents/assistant')
    await call('PATCH /agents/{agent}', '/agents/assistant', { body: { description: 'Helps.' } })
    await call('GET /agents/{agent}/sessions', '/agents/assistant/sessions?allUsers=true')
    const session = '/agents/{agent}/sessions/{session}'
    await call(`PUT ${session}`, own, { body: { userId: 'alice', title: 'Porto' } })
    await call(`GET ${session}`, own)
    await call(`GET ${session}/messages`, `${own}/messages?limit=2`)
    const document = '/agents/{agent}/memory/documents/{path}'
    const path = '/agents/assistant/memory/documents/memory/porto.md'
    await call(`PUT ${document}`, path, { body: { content: 'Ana lives in Porto.' } })
    await call(`GET ${document}`, path)
    await call('GET /agents/{agent}/memory/documents', '/agents/assistant/memory/documents')
    await call(`DELETE ${document}`, path)
    await call('GET /status', '/status')
    await call('GET /health/live', '/health/live', { key: null })
    await call('GET /health/ready', '/health/ready', { key: null })
    await call('GET /agents/{agent}', '/agents/nobody')
    await call('POST /agents', '/agents', { body: { key: ':' } })
    await call('GET /agents', '/agents', { key: null })
    await call(`DELETE ${session}`, own)
    const deleted = await call('DELETE /agents/{agent}', '/agents/assistant')
    expect(deleted.status).toBe(200)
  })

  it('answers the routes of what an agent is as they are described', async () => {
    const described = { key: 'reviewer', type: 'predefined', description: 'Reviews.' }
    await call('POST /agents', '/agents', { body: described })
    const agent = '/agents/{agent}'
    const own = '/agents/reviewer'
    await call(`POST ${agent}/context`, `${own}/context`, { body: { userId: 'alice' } })
    await call(`GET ${agent}/system-prompt-preview`, `${own}/system-prompt-preview?userId=alice`)
    await call(`GET ${agent}/files`, `${own}/files?userId=alice`)
    const files = { one: `${agent}/files/{name}`, path: `${own}/files/SOUL.md` }
    for (const content of ['One.', 'Two.']) {
      await call(`PUT ${files.one}`, files.path, { body: { content } })
    }
    await call(`GET ${files.one}`, files.path)
    await call(`GET ${files.one}/versions`, `${files.path}/versions`)
    await call(`DELETE ${files.one}`, files.path)
    const users = '/users/{userId}/files'
    await call(`GET ${agent}${users}`, `${own}/users/alice/files`)
    const userFile = `${own}/users/alice/files/USER.md`
    await call(`PUT ${agent}${users}/{name}`, userFile, { body: { content: 'Alice.' } })
    await call(`GET ${agent}${users}/{name}`, userFile)
    await call(`DELETE ${agent}${users}/{name}`, userFile)
    await call('POST /agents', '/agents', { body: { key: 'peer' } })
    const link = `${own}/links/peer`
    await call(`PUT ${agent}/links/{target}`, link, { body: { description: 'Helps.' } })
    await call(`GET ${agent}/links`, `${own}/links`)
    await call(`DELETE ${agent}/links/{target}`, link)
    await call(`POST ${agent}/summon`, `${own}/summon`, { body: {} })
    await test.runtime.settle()
    await call(`GET ${agent}/summon`, `${own}/summon`)
    const instruction = 'Be kind.'
    await call(`POST ${agent}/regenerate`, `${own}/regenerate`, { body: { instruction } })
    await test.runtime.settle()
    const again = await call(`POST ${agent}/resummon`, `${own}/resummon`, { body: {} })
    expect(again.status).toBe(202)
  })
})

describe('POST …/runs', () => {
  let path = ''
  beforeAll(async () => {
    const agent = await test.addAgent()
    path = url`/v1/agents/${agent}/sessions/s/runs`
    const body = { userId: 'alice', messages: [{ role: 'user', content: 'Hello' }] }
    await test.send('POST', url`/v1/agents/${agent}/sessions/s/messages`, { body })
  })

  it.each(['completed', 'failed', 'cancelled'])('accepts a run that is %s', async (status) => {
    const body = { userId: 'alice', runId: status, status }
    expect((await test.send('POST', path, { body })).status).toBe(202)
  })

  it.each([
    ['no id', { userId: 'a', status: 'completed' }, 'runId'],
    ['an unknown status', { userId: 'a', runId: 'r', status: 'running' }, 'status'],
    ['no user', { runId: 'r', status: 'completed' }, 'userId'],
    [
      'an unknown count',
      { userId: 'a', runId: 'r', status: 'failed', usage: { tokens: 1 } },
      'usage.tokens',
    ],
    [
      'a negative count',
      { userId: 'a', runId: 'r', status: 'failed', usage: { inputTokens: -1 } },
      'usage.inputTokens',
    ],
    ['an id with NUL', { userId: 'a', runId: '\0', status: 'failed' }, 'runId'],
  ])('refuses %s', async (_what, body, field) => {
    const answer = await test.send('POST', path, { body })
    expect(answer.status).toBe(400)
    expect(answer.body.issues[0].path).toBe(field)
  })

  it('does not find a session of another user, or none', async () => {
    const body = { userId: 'bob', runId: 'r', status: 'completed' }
    expect((await test.send('POST', path, { body })).status).toBe(404)
    const nowhere = path.replace('/s/', '/t/')
    expect((await test.send('POST', nowhere, { body })).status).toBe(404)
  })
})

describe('GET …/episodic', () => {
  it('says whose episodes are wanted, or refuses', async () => {
    const agent = await test.addAgent()
    const list = (query: string) => test.send('GET', `/v1/agents/${agent}/episodic?${query}`)
    expect((await list('allUsers=true')).body).toStrictEqual({ items: [] })
    expect((await list('')).status).toBe(400)
    expect((await list('userId=')).status).toBe(400)
    expect((await list('userId=a&session=nothing')).status).toBe(404)
    expect((await list('userId=a&limit=500')).status).toBe(400)
  })
})
