import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApi, url, type TestApi } from '../open-test-api.js'

let test: TestApi
beforeAll(async () => {
  test = await openTestApi()
  await test.runtime.start()
})
afterAll(async () => {
  await test.close()
})

/** Has a user talk, write and be summarised. */
async function remember(agent: string, user: string): Promise<void> {
  const session = url`/v1/agents/${agent}/sessions/${`talk-${user}`}`
  const messages = [
    { id: 'm1', role: 'user', content: `${user} moved to Porto.` },
    { id: 'm2', role: 'assistant', content: [{ type: 'text', text: 'I will remember Porto.' }] },
    // Enough for an episode.
    {
      id: 'm3',
      role: 'user',
      content: 'The flat has a view of the river and of many roofs. '.repeat(5),
    },
  ]
  await test.send('POST', `${session}/messages`, { body: { userId: user, messages } })
  const run = { runId: `run-${user}`, status: 'completed', userId: user }
  await test.send('POST', `${session}/runs`, { body: run })
  const content = `${user} likes tea.`
  await test.send('PUT', url`/v1/agents/${agent}/memory/documents/MEMORY.md`, {
    body: { userId: user, content },
  })
  const file = url`/v1/agents/${agent}/users/${user}/files/USER.md`
  await test.send('PUT', file, { body: { content: `- **Name:** ${user}` } })
  await test.runtime.settle()
}

const memoryOf = (agent: string, user: string) => url`/v1/agents/${agent}/users/${user}/memory`
const found = async (agent: string, user: string) => {
  const body = { query: 'Porto tea', userId: user, maxResults: 50 }
  const answer = await test.send('POST', url`/v1/agents/${agent}/memory/search`, { body })
  return answer.body.results.length
}

describe('what is known about a person', () => {
  it('is listed with where and when, and by kind', async () => {
    const agent = await test.addAgent()
    await remember(agent, 'ana')
    const { body } = await test.send('GET', memoryOf(agent, 'ana'))
    const kinds = body.items.map(({ kind }: { kind: string }) => kind)
    expect(new Set(kinds)).toEqual(new Set(['message', 'document', 'episode', 'file']))
    expect(body.items).toContainEqual(
      expect.objectContaining({
        kind: 'message',
        id: expect.stringMatching(/^message:[0-9a-f-]{36}:2$/),
        source: 'talk-ana',
        text: 'I will remember Porto.',
      }),
    )
    const some = await test.send('GET', `${memoryOf(agent, 'ana')}?kinds=document,file&limit=1`)
    expect(some.body.items).toHaveLength(1)
    expect(some.body.nextCursor).toBeDefined()
  })

  it('is erased wherever it went, stays so, and nothing of anybody else goes with it', async () => {
    const agent = await test.addAgent()
    await remember(agent, 'ana')
    await remember(agent, 'bob')
    const verify = async (user: string) =>
      (await test.send('POST', `${memoryOf(agent, user)}/verify`)).body
    const before = await verify('ana')
    expect(before).toMatchObject({
      isEmpty: false,
      held: { messages: 3, documents: 1, episodes: 1 },
    })
    const bobs = await verify('bob')
    const erased = await test.send('DELETE', memoryOf(agent, 'ana'))
    expect(erased.body).toEqual(before.held)
    expect(await found(agent, 'ana')).toBe(0)
    // What was under way, and what tidies up, brings nothing back.
    await test.runtime.settle()
    await test.runtime.memory.embedMissing({
      tenantId: '0193a5b0-7000-7000-8000-000000000001',
      everyUser: true,
    })
    expect(await verify('ana')).toMatchObject({ isEmpty: true })
    expect((await test.send('GET', memoryOf(agent, 'ana'))).body.items).toEqual([])
    expect(await verify('bob')).toEqual(bobs)
    expect(await found(agent, 'bob')).toBeGreaterThan(0)
    expect((await test.send('DELETE', memoryOf(agent, 'ana'))).body.messages).toBe(0)
  })

  it('is found by what it says', async () => {
    const agent = await test.addAgent()
    await remember(agent, 'ana')
    const containing = async (text: string, rest = '') =>
      (
        await test.send(
          'GET',
          `${memoryOf(agent, 'ana')}?containing=${encodeURIComponent(text)}${rest}`,
        )
      ).body.items
    expect((await containing('LIKES TEA')).map(({ kind }: { kind: string }) => kind)).toEqual([
      'document',
    ])
    expect(await containing('porto', '&kinds=message')).toHaveLength(2)
    expect(await containing('%')).toEqual([])
    expect(await containing('"type"')).toEqual([])
  })

  it('is forgotten item by item, with what was made of it, and does not come back', async () => {
    const agent = await test.addAgent()
    await remember(agent, 'ana')
    const list = async (query = '') =>
      (await test.send('GET', `${memoryOf(agent, 'ana')}${query}`)).body.items as {
        readonly id: string
        readonly kind: string
        readonly text: string
      }[]
    const episodes = await list('?kinds=episode')
    expect(episodes[0]?.text).toContain('Porto')
    const about = await list('?containing=porto&kinds=message')
    const ids = about.map(({ id }) => id)
    const forget = (body: object, key?: string) =>
      test.send('POST', `${memoryOf(agent, 'ana')}/forget`, {
        body,
        ...(key !== undefined && { key }),
      })
    const { status, body } = await forget({ ids })
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { messages: 2, episodes: 1, documents: 0, episodesToRewrite: 1 },
    })
    await test.runtime.settle()
    expect(await list('?containing=porto')).toEqual([])
    // What the client sends again under the same ids is not stored again.
    const messages = [
      { id: 'm1', role: 'user', content: 'ana moved to Porto.' },
      { id: 'm2', role: 'assistant', content: 'Something else.' },
    ]
    const again = await test.send('POST', url`/v1/agents/${agent}/sessions/talk-ana/messages`, {
      body: { userId: 'ana', messages },
    })
    expect(again.body).toMatchObject({ stored: 0, duplicates: 2 })
    const run = { runId: 'another', status: 'completed', userId: 'ana' }
    await test.send('POST', url`/v1/agents/${agent}/sessions/talk-ana/runs`, { body: run })
    await test.runtime.settle()
    expect(await list('?containing=porto')).toEqual([])
    expect(await found(agent, 'ana')).toBe(1)
    expect((await forget({ ids })).status).toBe(404)
  })

  it('is forgotten as a whole or not at all', async () => {
    const agent = await test.addAgent()
    await remember(agent, 'ana')
    await remember(agent, 'bob')
    const idsOf = async (user: string) =>
      (await test.send('GET', memoryOf(agent, user))).body.items.map(({ id }: { id: string }) => id)
    const [anas, bobs] = [await idsOf('ana'), await idsOf('bob')]
    const forget = (body: object) => test.send('POST', `${memoryOf(agent, 'ana')}/forget`, { body })
    for (const id of bobs.filter((other: string) => !other.startsWith('file:'))) {
      expect((await forget({ ids: [...anas, id] })).status).toBe(404)
    }
    for (const ids of [
      [],
      ['message:1'],
      ['file:'],
      [`${anas[0]}\u0000`],
      Array(201).fill(anas[0]),
    ]) {
      expect((await forget({ ids })).status).toBe(400)
    }
    expect(await idsOf('ana')).toEqual(anas)
    expect((await forget({ ids: anas })).status).toBe(200)
    expect(await idsOf('ana')).toEqual([])
    expect(await idsOf('bob')).toEqual(bobs)
  })

  it('is corrected where that makes sense, and found by what it says now', async () => {
    const agent = await test.addAgent()
    await remember(agent, 'ana')
    const items = (await test.send('GET', memoryOf(agent, 'ana'))).body.items as {
      readonly id: string
      readonly kind: string
    }[]
    const correct = (kind: string, text: string) => {
      const id = items.find((item) => item.kind === kind)?.id ?? kind
      const path = `${memoryOf(agent, 'ana')}/items/${encodeURIComponent(id)}`
      return test.send('PUT', path, { body: { text } })
    }
    for (const kind of ['document', 'episode', 'file']) {
      const { status, body } = await correct(kind, 'Ana keeps a parrot.')
      expect({ status, body }).toMatchObject({
        status: 200,
        body: { kind, text: 'Ana keeps a parrot.' },
      })
    }
    const search = { query: 'parrot', userId: 'ana', maxResults: 50 }
    const { body } = await test.send('POST', url`/v1/agents/${agent}/memory/search`, {
      body: search,
    })
    expect(body.results.map(({ source }: { source: string }) => source).toSorted()).toEqual([
      'documents',
      'episodes',
    ])
    expect(await correct('message', 'I said something else.')).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('forget it instead') },
    })
    expect((await correct('episode', ' ')).status).toBe(400)
    expect((await correct('nothing', 'x')).status).toBe(404)
  })

  it('leaves the files of a group to operators, whose key is no group’s', async () => {
    const agent = await test.addAgent()
    const body = { content: 'Ours.', senderId: 'ana', senderRole: 'admin' }
    const file = url`/v1/agents/${agent}/users/${'group:7'}/files/SOUL.md`
    await test.send('PUT', file, { body })
    const memory = memoryOf(agent, 'group:7')
    const forget = (ids: string[], key?: string) =>
      test.send('POST', `${memory}/forget`, key ? { key, body: { ids } } : { body: { ids } })
    const key = await test.addKey({ userId: 'group:7' })
    const refused = await forget(['file:SOUL.md'], key)
    expect([refused.status, refused.body.detail]).toEqual([
      403,
      expect.stringContaining('bound to a group'),
    ])
    expect((await test.send('DELETE', memory, { key })).status).toBe(403)
    expect((await test.send('GET', file)).body.content).toBe('Ours.')
    expect((await forget(['file:SOUL.md'])).body.contextFiles).toBe(1)
  })

  it('is the business of that person and of the operator', async () => {
    const agent = await test.addAgent()
    await remember(agent, 'ana')
    const [ana, bob] = [await test.addKey({ userId: 'ana' }), await test.addKey({ userId: 'bob' })]
    for (const [method, path, body] of [
      ['GET', memoryOf(agent, 'ana')],
      ['DELETE', memoryOf(agent, 'ana')],
      ['POST', `${memoryOf(agent, 'ana')}/verify`],
      ['POST', `${memoryOf(agent, 'ana')}/forget`, { ids: ['file:USER.md'] }],
      ['PUT', `${memoryOf(agent, 'ana')}/items/file:USER.md`, { text: 'x' }],
    ] as const) {
      expect((await test.send(method, path, { key: bob, body })).status).toBe(403)
    }
    expect((await test.send('GET', memoryOf(agent, 'ana'), { key: ana })).status).toBe(200)
    const tenant = await test.addKey({ tenantId: crypto.randomUUID() })
    expect((await test.send('DELETE', memoryOf(agent, 'ana'), { key: tenant })).status).toBe(404)
    expect((await test.send('DELETE', memoryOf(agent, 'ana'), { key: ana })).body.messages).toBe(3)
  })

  it.each(['?kinds=message,secrets', '?kinds=', '?limit=0', '?cursor=x', '?q=1'])(
    'is not listed with %s',
    async (query) => {
      const agent = await test.addAgent()
      expect((await test.send('GET', `${memoryOf(agent, 'ana')}${query}`)).status).toBe(400)
    },
  )
})
