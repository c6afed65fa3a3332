import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApi, url, type Answer, type TestApi } from '../open-test-api.js'

let test: TestApi
beforeAll(async () => {
  test = await openTestApi()
})
afterAll(async () => {
  await test.close()
})

const put = (path: string, body: unknown, key?: string): Promise<Answer> =>
  test.send('PUT', path, key === undefined ? { body } : { body, key })
const get = (path: string, key?: string): Promise<Answer> =>
  test.send('GET', path, key === undefined ? {} : { key })
const own = (agent: string, name: string) => url`/v1/agents/${agent}/files/${name}`
const ofUser = (agent: string, user: string, name: string) =>
  url`/v1/agents/${agent}/users/${user}/files/${name}`

const writeIf = (path: string, content: string, tag: string): Promise<Answer> =>
  test.send('PUT', path, { body: { content }, headers: { 'If-Match': tag } })

describe('the files of an agent', () => {
  it('are written, read, listed and deleted by the operator', async () => {
    const agent = await test.addAgent({ type: 'predefined' })
    const written = await put(own(agent, 'TOOLS.md'), { content: 'clippy 🦀' })
    expect(written.status).toBe(200)
    expect(written.body).toMatchObject({ name: 'TOOLS.md', userId: '', characters: 9, version: 1 })
    expect((await get(own(agent, 'TOOLS.md'))).body.content).toBe('clippy 🦀')
    const { body } = await get(`${url`/v1/agents/${agent}`}/files?userId=`)
    expect(
      body.items.map((item: { name: string; origin: string }) => [item.name, item.origin]),
    ).toEqual([
      ['AGENTS.md', 'agent'],
      ['IDENTITY.md', 'agent'],
      ['SOUL.md', 'agent'],
      ['TOOLS.md', 'agent'],
      ['USER_PREDEFINED.md', 'agent'],
    ])
    const remove = () => test.send('DELETE', own(agent, 'TOOLS.md'))
    expect((await remove()).body).toEqual({ deleted: true })
    expect((await remove()).body).toEqual({ deleted: false })
    expect((await get(own(agent, 'TOOLS.md'))).status).toBe(404)
  })

  it('keep what they said before', async () => {
    const agent = await test.addAgent()
    for (const content of ['one', 'two', 'three']) await put(own(agent, 'SOUL.md'), { content })
    const { body } = await get(`${own(agent, 'SOUL.md')}/versions`)
    expect(body.items).toMatchObject([
      { version: 2, content: 'two' },
      { version: 1, content: 'one' },
    ])
  })

  it.each(['soul.md', 'MEMORY.md', 'x', 'TEAM.md', 'constructor'])(
    'have no file %s, and the answer says which there are',
    async (name) => {
      const agent = await test.addAgent()
      for (const { status, body } of [
        await put(own(agent, name), { content: 'x' }),
        await get(own(agent, name)),
      ]) {
        expect([status, body.code, body.issues[0].path]).toEqual([400, 'invalid_input', 'name'])
      }
    },
  )

  it('have no BOOTSTRAP.md, which is each user’s', async () => {
    const agent = await test.addAgent()
    const { status, body } = await put(own(agent, 'BOOTSTRAP.md'), { content: 'x' })
    expect([status, body.code]).toEqual([400, 'invalid_input'])
  })

  it('are not larger than a megabyte', async () => {
    const agent = await test.addAgent()
    const { status, body } = await put(own(agent, 'SOUL.md'), { content: 'x'.repeat(1_048_577) })
    expect([status, body.code]).toEqual([400, 'invalid_input'])
    expect(body.detail).toContain('1,048,577 bytes')
  })

  it('are text in UTF-8', async () => {
    const agent = await test.addAgent()
    const { headers } = await test.send('GET', '/v1/agents')
    expect(headers.get('content-type')).toContain('json')
    const key = await test.addKey({})
    const response = await test.api.request(own(agent, 'SOUL.md'), {
      method: 'PUT',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: Buffer.concat([Buffer.from('{"content":"'), Buffer.from([0xff]), Buffer.from('"}')]),
    })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('not valid UTF-8')
  })

  it('are the operator’s alone', async () => {
    const agent = await test.addAgent({ type: 'predefined' })
    const key = await test.addKey({ userId: 'ana' })
    const answers = [
      await get(own(agent, 'SOUL.md'), key),
      await put(own(agent, 'SOUL.md'), { content: 'x' }, key),
      await test.send('DELETE', own(agent, 'SOUL.md'), { key }),
      await get(`${own(agent, 'SOUL.md')}/versions`, key),
    ]
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403])
  })

  it('are unknown to another tenant', async () => {
    const agent = await test.addAgent()
    const key = await test.addKey({ tenantId: '0198c5a0-0000-7000-8000-000000000001' })
    expect((await get(own(agent, 'SOUL.md'), key)).status).toBe(404)
    expect((await get(`/v1/agents/${agent}/files?userId=`, key)).status).toBe(404)
  })
})

describe('If-Match', () => {
  it.each([
    ['an agent', (agent: string) => own(agent, 'SOUL.md')],
    ['a user', (agent: string) => ofUser(agent, 'ana', 'SOUL.md')],
  ])('keeps what somebody wrote to a file of %s since it was read', async (_whose, place) => {
    const path = place(await test.addAgent())
    const none = await writeIf(path, 'x', '*')
    expect([none.status, none.body.code]).toEqual([412, 'precondition_failed'])
    const first = (await put(path, { content: 'one' })).headers.get('etag') ?? ''
    expect((await get(path)).headers.get('etag')).toBe(first)
    const second = await writeIf(path, 'two', first)
    expect(second.status).toBe(200)
    const late = await writeIf(path, 'late', first)
    expect([late.status, late.body.detail]).toEqual([412, expect.stringContaining('Read it again')])
    expect((await get(path)).body.content).toBe('two')
    expect((await writeIf(path, 'three', `"x", W/${second.headers.get('etag')}`)).status).toBe(200)
    await test.send('DELETE', path)
    await put(path, { content: 'begun anew' })
    expect((await writeIf(path, 'late', first)).status).toBe(412)
    expect((await writeIf(path, 'any', '*')).status).toBe(200)
  })

  it('takes the agent’s file for the one that a user without their own has read', async () => {
    const agent = await test.addAgent()
    await put(own(agent, 'SOUL.md'), { content: 'shared' })
    const tag = (await get(ofUser(agent, 'ana', 'SOUL.md'))).headers.get('etag') ?? ''
    expect((await writeIf(ofUser(agent, 'ana', 'SOUL.md'), 'mine', tag)).status).toBe(200)
    expect((await writeIf(ofUser(agent, 'ana', 'SOUL.md'), 'again', tag)).status).toBe(412)
  })

  it('lets one of many through that write at once', async () => {
    const path = own(await test.addAgent(), 'SOUL.md')
    const tag = (await put(path, { content: 'one' })).headers.get('etag') ?? ''
    const answers = await Promise.all(['a', 'b', 'c'].map((content) => writeIf(path, content, tag)))
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '412', '412'])
  })
})

describe('the files of a user', () => {
  it('of an open agent are the user’s own', async () => {
    const agent = await test.addAgent()
    const { body } = await put(ofUser(agent, 'ana', 'SOUL.md'), { content: 'Mine.' })
    expect(body).toMatchObject({ outcome: 'written', file: { userId: 'ana', content: 'Mine.' } })
    await put(own(agent, 'SOUL.md'), { content: 'Shared.' })
    expect((await get(ofUser(agent, 'ana', 'SOUL.md'))).body.content).toBe('Mine.')
    expect((await get(ofUser(agent, 'bob', 'SOUL.md'))).body.content).toBe('Shared.')
    const merged = await get(url`/v1/agents/${agent}/users/${'ana'}/files`)
    expect(merged.body.items).toMatchObject([{ name: 'SOUL.md', origin: 'user', characters: 5 }])
  })

  it('of a predefined agent are USER.md and BOOTSTRAP.md; all else is refused with its reason', async () => {
    const agent = await test.addAgent({ type: 'predefined' })
    const refused = await put(ofUser(agent, 'ana', 'SOUL.md'), { content: 'x' })
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden'])
    expect(refused.body.detail).toMatch(/only its owner can edit/)
    expect((await get(ofUser(agent, 'ana', 'SOUL.md'))).status).toBe(403)
    expect((await put(ofUser(agent, 'ana', 'USER.md'), { content: 'Ana' })).status).toBe(200)
  })

  it.each(['', ' \n '])(
    'end the first meeting by BOOTSTRAP.md with %j, for good',
    async (content) => {
      const agent = await test.addAgent({ type: 'predefined' })
      const context = () =>
        test.send('POST', `/v1/agents/${agent}/context`, { body: { userId: 'ana' } })
      expect((await context()).body.firstRun).toBe(true)
      const ended = await put(ofUser(agent, 'ana', 'BOOTSTRAP.md'), { content })
      expect(ended.body).toEqual({ outcome: 'onboarded' })
      expect((await context()).body.firstRun).toBe(false)
      expect((await get(ofUser(agent, 'ana', 'BOOTSTRAP.md'))).status).toBe(404)
    },
  )

  it('of a group are changed by those whom the settings name', async () => {
    const settings = { contextFiles: { groupEditors: [{ senderId: 'ana' }] } }
    const agent = await test.addAgent({ settings })
    const write = (sender: object, key?: string) =>
      put(ofUser(agent, 'group:7', 'SOUL.md'), { content: 'x', ...sender }, key)
    expect((await write({})).status).toBe(403)
    expect((await write({ senderId: 'bob' })).status).toBe(403)
    expect((await write({ senderId: 'ana|Ana' })).status).toBe(200)
    expect((await write({ senderId: 'bob', senderRole: 'admin' })).status).toBe(200)
    const bound = await test.addKey({ userId: 'group:7' })
    expect((await write({ senderId: 'bob', senderRole: 'admin' }, bound)).status).toBe(403)
    const named = await write({ senderId: 'ana' }, bound)
    expect([named.status, named.body.detail]).toEqual([
      403,
      expect.stringContaining('speaks as that user alone'),
    ])
    const remove = (sender: string, key?: string) =>
      test.send('DELETE', `${ofUser(agent, 'group:7', 'SOUL.md')}${sender}`, key ? { key } : {})
    expect((await remove('')).status).toBe(403)
    expect((await remove('?senderId=ana', bound)).status).toBe(403)
    expect((await remove('?senderId=bob&senderRole=admin')).body).toEqual({ deleted: true })
  })

  it.each(['.', '..', '\uD800', 'x'.repeat(256)])('are not of a user %j', async (userId) => {
    const agent = await test.addAgent()
    const { status, body } = await test.send('POST', `/v1/agents/${agent}/context`, {
      body: { userId },
    })
    expect([status, body.issues[0].path]).toEqual([400, 'userId'])
  })

  it.each(['a/b', '../x', 'a\\b', '%2e%2e', '...', ' ', 'a?b#c', '🦆'])(
    'are those of the user %j alone, whatever a path would make of it',
    async (user) => {
      const agent = await test.addAgent()
      expect((await put(ofUser(agent, user, 'SOUL.md'), { content: user })).status).toBe(200)
      const { body } = await get(ofUser(agent, user, 'SOUL.md'))
      expect([body.userId, body.content]).toEqual([user, user])
    },
  )

  it('are nobody else’s', async () => {
    const agent = await test.addAgent()
    const key = await test.addKey({ userId: 'bob' })
    await put(ofUser(agent, 'ana', 'USER.md'), { content: 'Ana' })
    for (const { status } of [
      await get(ofUser(agent, 'ana', 'USER.md'), key),
      await put(ofUser(agent, 'ana', 'USER.md'), { content: 'x' }, key),
      await test.send('DELETE', ofUser(agent, 'ana', 'USER.md'), { key }),
      await get(url`/v1/agents/${agent}/users/${'ana'}/files`, key),
      await get(`/v1/agents/${agent}/files?userId=ana`, key),
    ]) {
      expect(status).toBe(403)
    }
    expect((await get(ofUser(agent, 'bob', 'USER.md'), key)).status).toBe(404)
  })
})
