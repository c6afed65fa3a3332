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
        id: '2',
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

  it('is the business of that person and of the operator', async () => {
    const agent = await test.addAgent()
    await remember(agent, 'ana')
    const [ana, bob] = [await test.addKey({ userId: 'ana' }), await test.addKey({ userId: 'bob' })]
    for (const [method, path] of [
      ['GET', memoryOf(agent, 'ana')],
      ['DELETE', memoryOf(agent, 'ana')],
      ['POST', `${memoryOf(agent, 'ana')}/verify`],
    ] as const) {
      expect((await test.send(method, path, { key: bob })).status).toBe(403)
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
