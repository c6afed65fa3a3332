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

const path = (session: string) => url`/v1/agents/${agent}/sessions/${session}/messages`
const post = (session: string, messages: unknown, more: object = { userId: 'alice' }) =>
  test.send('POST', path(session), { body: { ...more, messages } })
const read = async (session: string, query = '') =>
  (await test.send('GET', `${path(session)}?userId=alice${query}`)).body

const said = (content: unknown, more: object = {}) => ({ role: 'user', content, ...more })

const contents = (page: { items: { content: string }[] }) =>
  page.items.map(({ content }) => content).join('')

describe('POST …/messages', () => {
  it('makes the session with its first batch', async () => {
    const session = {
      kind: 'cron',
      channel: 'web',
      timezone: 'Europe/Berlin',
      contextWindow: 8000,
      title: 'T',
      metadata: { a: 1 },
    }
    const messages = [said('Hello', { id: 'm1' }), { role: 'assistant', content: 'Hi', id: 'm2' }]
    const { status, body } = await post('first', messages, { userId: 'alice', newSession: session })
    expect(status).toBe(200)
    expect(body).toStrictEqual({
      session: 'first',
      sessionId: expect.any(String),
      items: [
        { id: 'm1', sequence: 1, duplicate: false },
        { id: 'm2', sequence: 2, duplicate: false },
      ],
      stored: 2,
      duplicates: 0,
      indexState: 'complete',
    })
    const made = await test.send('GET', url`/v1/agents/${agent}/sessions/first`)
    expect(made.body).toMatchObject({ ...session, id: body.sessionId, lastSequence: 2 })
  })

  it('stores a message sent twice once', async () => {
    await post('twice', [said('One', { id: 'a' })])
    const { body } = await post('twice', [said('One', { id: 'a' }), said('Two', { id: 'b' })])
    expect(body).toMatchObject({
      items: [
        { id: 'a', sequence: 1, duplicate: true },
        { id: 'b', sequence: 2, duplicate: false },
      ],
      stored: 1,
      duplicates: 1,
    })
  })

  it('refuses another content under the same id, and stores none of the batch', async () => {
    await post('conflict', [said('One', { id: 'a' })])
    const { status, body } = await post('conflict', [said('New'), said('Other', { id: 'a' })])
    expect(status).toBe(409)
    expect(body.code).toBe('conflict')
    expect((await read('conflict')).items).toHaveLength(1)
  })

  it('keeps every field of a message', async () => {
    const messages = [
      said(
        [
          { type: 'text', text: 'See this' },
          { type: 'image', url: 'https://example.org/cat.png', caption: 'A grey cat' },
          { type: 'file', name: 'plan.pdf', mediaType: 'application/pdf', caption: 'The plan' },
        ],
        {
          id: 'parts',
          name: 'Alice',
          senderId: 'telegram:1',
          createdAt: '2026-11-30T10:00:00+01:00',
          metadata: { edited: false },
        },
      ),
      {
        id: 'call',
        role: 'assistant',
        content: null,
        toolCalls: [{ id: 'c1', name: 'look', arguments: '{"at":"cat"}' }],
      },
      { id: 'result', role: 'tool', content: 'A cat.', toolCallId: 'c1' },
      { id: 'memory', role: 'system', content: 'You remember…', origin: 'injected' },
    ]
    await post('fields', messages)
    const { items } = await read('fields')
    expect(items).toMatchObject([
      {
        ...messages[0],
        createdAt: '2026-11-30T09:00:00.000Z',
        origin: 'conversation',
        sequence: 1,
      },
      { ...messages[1], sequence: 2 },
      { ...messages[2], sequence: 3 },
      { ...messages[3], sequence: 4 },
    ])
  })

  it.each([
    ['CRLF', 'one\r\ntwo', 'one\r\ntwo'],
    ['a BOM', '\uFEFFtext', 'text'],
    ['NUL', 'a\0b', 'ab'],
    ['a lone surrogate', 'a\uD800b', 'a\uFFFDb'],
    ['emoji', '👩‍👩‍👧‍👦 👍🏽', '👩‍👩‍👧‍👦 👍🏽'],
    ['right-to-left text', 'שלום \u202Eabc\u202C', 'שלום \u202Eabc\u202C'],
    ['CJK', '今日はいい天気', '今日はいい天気'],
    ['nothing', '', ''],
    ['null', null, null],
    ['no parts', [], []],
    ['control characters', '\u0001\u001B[31m', '\u0001\u001B[31m'],
    ['markup', '<script>alert(1)</script>', '<script>alert(1)</script>'],
  ])('stores %s', async (what, content, expected) => {
    const { status } = await post(`content ${what}`, [said(content)])
    expect(status).toBe(200)
    expect((await read(`content ${what}`)).items[0].content).toStrictEqual(expected)
  })

  it('stores a thousand messages, and refuses one more', async () => {
    const batch = Array.from({ length: 1001 }, (_, index) => said(`Message ${index}`))
    const refused = await post('thousand', batch)
    expect(refused.status).toBe(400)
    expect(refused.body.issues[0].path).toBe('messages')
    const { body } = await post('thousand', batch.slice(0, 1000))
    expect(body.items.at(-1).sequence).toBe(1000)
  })

  it('gives each message a place of its own when many are sent at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        post('parallel', [said(`${index}a`), said(`${index}b`)]),
      ),
    )
    const sequences = answers.flatMap(({ body }) =>
      body.items.map((item: { sequence: number }) => item.sequence),
    )
    expect(sequences.toSorted((left, right) => left - right)).toStrictEqual(
      Array.from({ length: 16 }, (_, index) => index + 1),
    )
  })

  it.each([
    ['no messages', { userId: 'alice' }, 'messages'],
    ['an empty batch', { userId: 'alice', messages: [] }, 'messages'],
    ['no user', { messages: [said('x')] }, 'userId'],
    ['an empty user', { userId: '', messages: [said('x')] }, 'userId'],
    ['a long user', { userId: 'x'.repeat(256), messages: [said('x')] }, 'userId'],
    ['a user with NUL', { userId: 'a\0', messages: [said('x')] }, 'userId'],
    [
      'an unknown role',
      { userId: 'a', messages: [{ role: 'robot', content: '' }] },
      'messages.0.role',
    ],
    ['no content', { userId: 'a', messages: [{ role: 'user' }] }, 'messages.0.content'],
    ['content that is a number', { userId: 'a', messages: [said(5)] }, 'messages.0.content'],
    [
      'an unknown part',
      { userId: 'a', messages: [said([{ type: 'video' }])] },
      'messages.0.content.0.type',
    ],
    [
      'an unknown field of a part',
      { userId: 'a', messages: [said([{ type: 'text', text: '', data: 'x' }])] },
      'messages.0.content.0.data',
    ],
    [
      'an unknown field of a message',
      { userId: 'a', messages: [said('x'), said('y', { text: 'z' })] },
      'messages.1.text',
    ],
    [
      'an unknown field of the session',
      { userId: 'a', messages: [said('x')], newSession: { key: 'k' } },
      'newSession.key',
    ],
    ['an empty id', { userId: 'a', messages: [said('x', { id: '' })] }, 'messages.0.id'],
    ['an id with NUL', { userId: 'a', messages: [said('x', { id: 'a\0' })] }, 'messages.0.id'],
    [
      'an id with half an emoji',
      { userId: 'a', messages: [said('x', { id: '\uD83D' })] },
      'messages.0.id',
    ],
    [
      'a date without offset',
      { userId: 'a', messages: [said('x', { createdAt: '2026-11-30T10:00:00' })] },
      'messages.0.createdAt',
    ],
    [
      'a date that is a number',
      { userId: 'a', messages: [said('x', { createdAt: 5 })] },
      'messages.0.createdAt',
    ],
    [
      'arguments that are an object',
      {
        userId: 'a',
        messages: [said('x', { toolCalls: [{ id: '1', name: 'n', arguments: {} }] })],
      },
      'messages.0.toolCalls.0.arguments',
    ],
    [
      'an unknown origin',
      { userId: 'a', messages: [said('x', { origin: 'memory' })] },
      'messages.0.origin',
    ],
  ])('refuses %s and names it', async (_what, body, field) => {
    const answer = await test.send('POST', path('refused'), { body })
    expect(answer.status).toBe(400)
    expect(answer.body.issues.map((issue: { path: string }) => issue.path)).toContain(field)
    expect((await test.send('GET', path('refused'))).status).toBe(404)
  })

  it('refuses metadata that is nested without end', async () => {
    const deep = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`
    const response = await test.api.request(path('deep'), {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Authorization: `Bearer ${await test.addKey({})}`,
      },
      body: `{"userId":"a","messages":[{"role":"user","content":"x","metadata":${deep}}]}`,
    })
    expect(response.status).toBe(400)
  })

  it("does not find another user's session", async () => {
    await post('hers', [said('Secret')])
    const { status } = await post('hers', [said('Mine?')], { userId: 'bob' })
    expect(status).toBe(404)
    expect((await read('hers')).items).toHaveLength(1)
  })

  it('stores for the user of the key when none is named', async () => {
    const key = await test.addKey({ userId: 'carol' })
    const messages = [said('Hello')]
    const { status } = await test.send('POST', path('carols'), { key, body: { messages } })
    expect(status).toBe(200)
    const session = await test.send('GET', url`/v1/agents/${agent}/sessions/carols`)
    expect(session.body.userId).toBe('carol')
    const other = await test.send('POST', path('carols'), {
      key,
      body: { userId: 'dave', messages },
    })
    expect(other.status).toBe(403)
  })
})

describe('GET …/messages', () => {
  beforeAll(async () => {
    await post(
      'pages',
      Array.from({ length: 5 }, (_, index) => said(`${index + 1}`)),
    )
  })

  it.each([
    ['asc', ['12', '34', '5']],
    ['desc', ['54', '32', '1']],
  ])('pages in order %s', async (order, expected) => {
    const pages: string[] = []
    let cursor = ''
    do {
      const page = await read('pages', `&order=${order}&limit=2${cursor}`)
      pages.push(contents(page))
      cursor = page.nextCursor === undefined ? '' : `&cursor=${encodeURIComponent(page.nextCursor)}`
    } while (cursor !== '')
    expect(pages).toStrictEqual(expected)
  })

  it('is read by its owner and by a key for every user', async () => {
    const bob = await test.addKey({ userId: 'bob' })
    expect((await test.send('GET', path('pages'))).status).toBe(200)
    expect((await test.send('GET', `${path('pages')}?userId=bob`)).status).toBe(404)
    expect((await test.send('GET', path('pages'), { key: bob })).status).toBe(404)
    expect((await test.send('GET', path('nothing'))).status).toBe(404)
  })

  it.each(['order=up', 'limit=0', 'cursor=bogus', 'before=3'])('refuses ?%s', async (query) => {
    const { status } = await test.send('GET', `${path('pages')}?userId=alice&${query}`)
    expect(status).toBe(400)
  })
})
