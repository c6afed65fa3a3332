import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApi, url, type TestApi } from '../open-test-api.js'

let test: TestApi
let agent = ''
beforeAll(async () => {
  test = await openTestApi()
  agent = await test.addAgent()
})
afterAll(async () => {
  await test.close()
})

const path = (session: string) => url`/v1/agents/${agent}/sessions/${session}`
const put = (session: string, body: unknown, key?: string) =>
  test.send('PUT', path(session), key === undefined ? { body } : { body, key })

const keysOf = (answer: { body: { items: { key: string }[] } }) =>
  answer.body.items.map(({ key }) => key)

describe('PUT …/sessions/{session}', () => {
  it('makes a session', async () => {
    const input = {
      userId: 'alice',
      kind: 'team',
      channel: 'telegram',
      timezone: 'Europe/Berlin',
      contextWindow: 200_000,
      title: 'Holidays 🏖',
      metadata: { thread: 7 },
    }
    const { status, body } = await put('full', input)
    expect(status).toBe(201)
    expect(body).toStrictEqual({
      ...input,
      id: expect.any(String),
      key: 'full',
      lastSequence: 0,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    expect((await test.send('GET', path('full'))).body).toStrictEqual(body)
  })

  it.each([
    ['chat', 'alice', 'direct'],
    ['chat-g', 'group:42', 'group'],
    ['chat-guild', 'guild:42', 'group'],
    ['agent:a:subagent:x', 'alice', 'subagent'],
    ['agent:a:CRON:x', 'alice', 'cron'],
    ['agent:a', 'alice', 'direct'],
    ['delegate:a:b', 'alice', 'direct'],
  ])('takes the kind of %s from its key and its owner', async (session, userId, kind) => {
    expect((await put(session, { userId })).body.kind).toBe(kind)
  })

  it('changes what is given, and empties what is null', async () => {
    await put('changed', { userId: 'alice', title: 'Before', channel: 'web', metadata: { a: 1 } })
    const change = { userId: 'alice', title: null, timezone: 'Asia/Tokyo', metadata: { b: 2 } }
    const { status, body } = await put('changed', change)
    expect(status).toBe(200)
    expect(body).toMatchObject({ channel: 'web', timezone: 'Asia/Tokyo', metadata: { b: 2 } })
    expect(body).not.toHaveProperty('title')
    expect((await put('changed', { userId: 'alice' })).body).toStrictEqual(body)
  })

  it('keeps the kind', async () => {
    await put('kind', { userId: 'alice' })
    expect((await put('kind', { userId: 'alice', kind: 'direct' })).status).toBe(200)
    expect((await put('kind', { userId: 'alice', kind: 'cron' })).status).toBe(409)
  })

  it('keeps the owner: to another user there is no such session', async () => {
    await put('owned', { userId: 'alice', title: 'Hers' })
    const { status, body } = await put('owned', { userId: 'bob', title: 'His' })
    expect(status).toBe(404)
    expect(JSON.stringify(body)).not.toContain('alice')
    expect((await test.send('GET', path('owned'))).body.title).toBe('Hers')
  })

  it.each([
    ['no user', {}, 'userId'],
    ['an empty user', { userId: '' }, 'userId'],
    ['an unknown kind', { userId: 'a', kind: 'chat' }, 'kind'],
    ['no time zone', { userId: 'a', timezone: 'Mars/Olympus' }, 'timezone'],
    ['no window', { userId: 'a', contextWindow: 0 }, 'contextWindow'],
    ['an unknown field', { userId: 'a', owner: 'b' }, 'owner'],
  ])('refuses %s', async (_what, input, field) => {
    const { status, body } = await put('refused', input)
    expect(status).toBe(400)
    expect(body.issues[0].path).toBe(field)
    expect((await test.send('GET', path('refused'))).status).toBe(404)
  })

  it('does not find an unknown agent', async () => {
    const body = { userId: 'alice' }
    expect((await test.send('PUT', '/v1/agents/nobody/sessions/s', { body })).status).toBe(404)
  })
})

describe('session keys', () => {
  it.each([
    'a/b/c',
    '/',
    'a%2Fb',
    '100%',
    'what?',
    'a#b',
    'a&b=c',
    'a+b c',
    ' ',
    '...',
    '../..',
    'agent:a:telegram:direct:42',
    `'; drop table sessions; --`,
    '"quoted" \\ back',
    '\n\t',
    'a\uFEFFb',
    'שלום',
    '你好',
    '👩‍👩‍👧‍👦',
    '!'.repeat(500),
    '😀'.repeat(250),
    '%'.repeat(500),
  ])('keep %j as it is', async (session) => {
    const made = await put(session, { userId: 'alice' })
    expect(made.body.key).toBe(session)
    const { status, body } = await test.send('GET', path(session))
    expect(status).toBe(200)
    expect(body.id).toBe(made.body.id)
  })

  it('keep any text, and never meet', async () => {
    const keys = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
      .filter((key) => !['.', '..'].includes(key) && !key.includes('\0'))
    await fc.assert(
      fc.asyncProperty(keys, async (session) => {
        const made = await put(session, { userId: 'alice' })
        expect(made.body.key).toBe(session)
      }),
      { numRuns: 50 },
    )
  })

  it.each([
    ['501 characters', 'x'.repeat(501)],
    ['NUL', 'a%00b'],
    ['a byte order mark at the beginning', '%EF%BB%BFa'],
    ['half an emoji', '%ED%A0%80'],
    ['malformed encoding', '%zz'],
    ['an unfinished encoding', 'a%2'],
    ['Latin-1', '%E4'],
  ])('refuse %s', async (_what, encoded) => {
    const answer = await test.send('PUT', `/v1/agents/${agent}/sessions/${encoded}`, {
      body: { userId: 'alice' },
    })
    expect(answer.status).toBe(400)
    expect(answer.body.code).toBe('invalid_input')
  })

  it.each(['.', '..', '%2E', '%2e%2E'])('cannot be %s, which a URL resolves', async (segment) => {
    const body = { userId: 'alice' }
    const answer = await test.send('PUT', `/v1/agents/${agent}/sessions/${segment}`, { body })
    expect([404, 405]).toContain(answer.status)
    const deletion = await test.send('DELETE', `/v1/agents/${agent}/sessions/${segment}`)
    expect([404, 405]).toContain(deletion.status)
    expect((await test.send('GET', `/v1/agents/${agent}`)).status).toBe(200)
  })
})

describe('GET and DELETE …/sessions/{session}', () => {
  it('find a session only for its owner', async () => {
    await put('hers', { userId: 'carol' })
    const carol = await test.addKey({ userId: 'carol' })
    const dave = await test.addKey({ userId: 'dave' })
    const seen = [
      await test.send('GET', `${path('hers')}?userId=carol`),
      await test.send('GET', path('hers'), { key: carol }),
      await test.send('GET', path('hers')),
    ]
    expect(seen.map(({ status }) => status)).toStrictEqual([200, 200, 200])
    for (const method of ['DELETE', 'GET'] as const) {
      expect((await test.send(method, `${path('hers')}?userId=dave`)).status).toBe(404)
      expect((await test.send(method, path('hers'), { key: dave })).status).toBe(404)
      expect((await test.send(method, `${path('hers')}?userId=carol`, { key: dave })).status).toBe(
        403,
      )
      expect((await test.send(method, `${path('hers')}?userId=`)).status).toBe(400)
    }
  })

  it('delete a session with its messages, and say how much that was', async () => {
    const messages = [
      { role: 'user', content: 'The bicycle is blue.' },
      { role: 'assistant', content: 'Noted.' },
    ]
    await test.send('POST', `${path('gone')}/messages`, { body: { userId: 'alice', messages } })
    const { status, body } = await test.send('DELETE', `${path('gone')}?userId=alice`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ agents: 0, sessions: 1, messages: 2 })
    expect((await test.send('GET', path('gone'))).status).toBe(404)
    const found = await test.send('POST', `/v1/agents/${agent}/memory/search`, {
      body: { userId: 'alice', query: 'blue bicycle' },
    })
    expect(JSON.stringify(found.body)).not.toContain('bicycle is blue')
  })
})

describe('GET …/sessions', () => {
  const list = (query: string, key?: string) =>
    test.send('GET', `/v1/agents/${own}/sessions?${query}`, key === undefined ? {} : { key })
  let own = ''
  beforeAll(async () => {
    own = await test.addAgent()
    for (const [session, userId] of [
      ['a1', 'ann'],
      ['b1', 'ben'],
      ['a2', 'ann'],
    ] as const) {
      await test.send('PUT', url`/v1/agents/${own}/sessions/${session}`, { body: { userId } })
    }
  })

  it('lists those of one user, newest first', async () => {
    expect(keysOf(await list('userId=ann'))).toStrictEqual(['a2', 'a1'])
    expect(keysOf(await list('', await test.addKey({ userId: 'ben' })))).toStrictEqual(['b1'])
  })

  it('lists those of every user only when told so', async () => {
    expect(keysOf(await list('allUsers=true'))).toStrictEqual(['a2', 'b1', 'a1'])
    const { status, body } = await list('')
    expect(status).toBe(400)
    expect(body.detail).toMatch(/userId=.*allUsers=true/)
    expect((await list('userId=')).status).toBe(400)
    expect((await list('allUsers=true', await test.addKey({ userId: 'ben' }))).status).toBe(403)
  })

  it('pages', async () => {
    const first = await list('allUsers=true&limit=2')
    const second = await list(`allUsers=true&limit=2&cursor=${first.body.nextCursor}`)
    expect([...keysOf(first), ...keysOf(second)]).toStrictEqual(['a2', 'b1', 'a1'])
  })
})
