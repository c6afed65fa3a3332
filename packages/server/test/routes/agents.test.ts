import { DEFAULT_TENANT_ID } from '@loam/storage'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApi } from '../../src/index.js'
import { openTestApi, url, type TestApi } from '../open-test-api.js'

let test: TestApi
beforeAll(async () => {
  test = await openTestApi()
})
afterAll(async () => {
  await test.close()
})

const create = (body: unknown, key?: string) =>
  test.send('POST', '/v1/agents', key === undefined ? { body } : { body, key })

describe('POST /v1/agents', () => {
  it('makes an agent', async () => {
    const input = {
      key: 'scout',
      type: 'predefined',
      displayName: 'Scout 🦊',
      description: 'Finds things.',
      settings: { consolidation: { enabled: true }, own: [1, null] },
    }
    const { status, body } = await create(input)
    expect(status).toBe(201)
    expect(body).toStrictEqual({
      ...input,
      status: 'active',
      warnings: [expect.stringContaining('No chat model')],
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: body.createdAt,
    })
  })

  it('makes an open agent from a key alone', async () => {
    const { body } = await create({ key: 'plain' })
    expect(body).toMatchObject({ key: 'plain', type: 'open', settings: {} })
  })

  it('refuses a key that is taken', async () => {
    await create({ key: 'twice' })
    const { status, body } = await create({ key: 'twice', displayName: 'Other' })
    expect(status).toBe(409)
    expect(body.code).toBe('conflict')
  })

  it('makes one agent of many requests at once for the same key', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => create({ key: 'race' })))
    const made = answers.filter(({ status }) => status === 201)
    expect(made).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(4)
  })

  it.each([
    ['no key', {}, 'key'],
    ['an empty key', { key: '' }, 'key'],
    ['a colon', { key: 'a:b' }, 'key'],
    ['a slash', { key: 'a/b' }, 'key'],
    ['NUL', { key: 'a\0' }, 'key'],
    ['101 characters', { key: 'a'.repeat(101) }, 'key'],
    ['a number', { key: 5 }, 'key'],
    ['the shape of a UUID', { key: '0193a5b0-7000-7000-8000-00000000000A' }, 'key'],
    ['an unknown type', { key: 'a', type: 'closed' }, 'type'],
    ['an unknown field', { key: 'a', dispalyName: 'A' }, 'dispalyName'],
    ['settings that are no object', { key: 'a', settings: [] }, 'settings'],
    ['null', { key: 'a', displayName: null }, 'displayName'],
    ['a long name', { key: 'a', displayName: 'x'.repeat(201) }, 'displayName'],
  ])('refuses %s and names the field', async (_what, input, path) => {
    const { status, body } = await create(input)
    expect(status).toBe(400)
    expect(body.code).toBe('invalid_input')
    expect(body.issues.map((issue: { path: string }) => issue.path)).toStrictEqual([path])
  })

  it('cleans text of what cannot be stored', async () => {
    const settings = { 'a\0': ['\uD800'] }
    const { body } = await create({ key: 'clean', displayName: 'A\0B\uDC00', settings })
    expect(body).toMatchObject({ displayName: 'AB\uFFFD', settings: { a: ['\uFFFD'] } })
  })
})

describe('GET /v1/agents', () => {
  it('pages through all agents by key', async () => {
    const tenantId = '0193a5b0-7000-7000-8000-0000000000a1'
    const key = await test.addKey({ tenantId })
    for (const name of ['c', 'a', 'b']) await create({ key: name }, key)
    const first = await test.send('GET', '/v1/agents?limit=2', { key })
    expect(first.body.items.map((agent: { key: string }) => agent.key)).toStrictEqual(['a', 'b'])
    const rest = url`/v1/agents?limit=2&cursor=${first.body.nextCursor}`
    const second = await test.send('GET', rest, { key })
    expect(second.body.items.map((agent: { key: string }) => agent.key)).toStrictEqual(['c'])
    expect(second.body).not.toHaveProperty('nextCursor')
  })

  it.each([
    'limit=0',
    'limit=201',
    'limit=x',
    'cursor=bogus',
    'cursor=',
    'offset=3',
    'limit=1&limit=2',
    'cursor=%00',
  ])('refuses ?%s', async (query) => {
    const { status, body } = await test.send('GET', `/v1/agents?${query}`)
    expect(status).toBe(400)
    expect(body.issues[0].path).toBe(query.slice(0, query.indexOf('=')))
  })
})

describe('GET /v1/agents/{agent}', () => {
  it('finds an agent by key and by id', async () => {
    const { body: agent } = await create({ key: 'found' })
    expect((await test.send('GET', '/v1/agents/found')).body).toStrictEqual(agent)
    expect((await test.send('GET', `/v1/agents/${agent.id}`)).body).toStrictEqual(agent)
  })

  it('tells users what an agent is good at, and not what its files are written from', async () => {
    const { body: agent } = await create({ key: 'described', description: 'Cheap for us.' })
    const { body: target } = await create({ key: 'linked', description: 'Cheaper still.' })
    await test.send('PUT', `/v1/agents/${agent.id}/links/${target.id}`, { body: {} })
    const key = await test.addKey({ userId: 'ana' })
    for (const path of ['/described', '?limit=200', '/described/links']) {
      const { status, body } = await test.send('GET', `/v1/agents${path}`, { key })
      expect([status, JSON.stringify(body)]).toEqual([200, expect.not.stringContaining('Cheap')])
      const told = await test.send('GET', `/v1/agents${path}`)
      expect(JSON.stringify(told.body)).toContain('Cheap')
    }
  })

  it.each(['nobody', '0193a5b0-7000-7000-8000-0000000000ff'])('does not find %s', async (name) => {
    const { status, body } = await test.send('GET', `/v1/agents/${name}`)
    expect(status).toBe(404)
    expect(body).toMatchObject({ code: 'not_found', detail: expect.stringContaining(name) })
  })

  it('does not find an agent of another tenant, by key or by id', async () => {
    const { body: agent } = await create({ key: 'private' })
    const key = await test.addKey({ tenantId: '0193a5b0-7000-7000-8000-0000000000a2' })
    for (const name of ['private', agent.id]) {
      for (const method of ['GET', 'DELETE'] as const) {
        expect((await test.send(method, url`/v1/agents/${name}`, { key })).status).toBe(404)
      }
      const change = await test.send('PATCH', url`/v1/agents/${name}`, { key, body: {} })
      expect(change.status).toBe(404)
    }
    expect((await test.send('GET', '/v1/agents/private')).status).toBe(200)
  })
})

describe('PATCH /v1/agents/{agent}', () => {
  it('changes what is given, empties what is null, and merges settings', async () => {
    await create({
      key: 'patched',
      displayName: 'Before',
      description: 'Stays',
      settings: { a: { x: 1, y: 2 }, b: 1 },
    })
    const { status, body } = await test.send('PATCH', '/v1/agents/patched', {
      body: { type: 'predefined', displayName: null, settings: { a: { x: null, z: 3 }, b: null } },
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ type: 'predefined', description: 'Stays' })
    expect(body).not.toHaveProperty('displayName')
    expect(body.settings).toStrictEqual({ a: { y: 2, z: 3 } })
    expect((await test.send('GET', '/v1/agents/patched')).body).toStrictEqual(body)
  })

  it('merges into what is stored when it writes, not into what another change has replaced', async () => {
    const { body: agent } = await create({ key: 'busy' })
    const { storage } = test.runtime
    const access = { tenantId: DEFAULT_TENANT_ID, userId: '' }
    const stale = await storage.transaction(access, ({ agents }) => agents.find(agent.id))
    await test.send('PATCH', '/v1/agents/busy', { body: { settings: { first: true } } })
    // As if both requests had looked the agent up before either wrote.
    const transaction: typeof storage.transaction = (asked, work, options) =>
      storage.transaction(
        asked,
        (stores) => work({ ...stores, agents: { ...stores.agents, find: async () => stale } }),
        options,
      )
    const late = createApi({ ...test.runtime, storage: { ...storage, transaction } })
    const response = await late.request('/v1/agents/busy', {
      method: 'PATCH',
      headers: {
        Authorization: `Bearer ${await test.addKey({})}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ settings: { second: true } }),
    })
    expect(await response.json()).toMatchObject({ settings: { first: true, second: true } })
  })

  it('takes a merge patch by its own media type', async () => {
    await create({ key: 'merged', settings: { a: 1, b: 2 } })
    const { status, body } = await test.send('PATCH', '/v1/agents/merged', {
      body: { settings: { a: null } },
      headers: { 'Content-Type': 'application/merge-patch+json' },
    })
    expect(status).toBe(200)
    expect(body.settings).toStrictEqual({ b: 2 })
  })

  it('changes nothing when given nothing', async () => {
    const { body: agent } = await create({ key: 'same', displayName: 'Same' })
    const { status, body } = await test.send('PATCH', '/v1/agents/same', { body: {} })
    expect(status).toBe(200)
    expect(body).toStrictEqual({ ...agent, updatedAt: expect.any(String) })
  })

  it.each([
    ['another key', { key: 'other' }, 'key'],
    ['an id', { id: '0193a5b0-7000-7000-8000-0000000000ff' }, 'id'],
    ['no type', { type: null }, 'type'],
  ])('refuses %s', async (_what, patch, path) => {
    await create({ key: 'fixed' })
    const { status, body } = await test.send('PATCH', '/v1/agents/fixed', { body: patch })
    expect(status).toBe(400)
    expect(body.issues[0].path).toBe(path)
  })

  it.each([
    ['contextFiles.selfEvolve', { contextFiles: { selfEvolve: 'yes' } }],
    ['contextFiles.groupEditors.0.senderId', { contextFiles: { groupEditors: [{}] } }],
    ['contextFiles.limits.totalMaxChars', { contextFiles: { limits: { totalMaxChars: '9' } } }],
    ['contextFiles.limits.headRatio', { contextFiles: { limits: { headRatio: 1.5 } } }],
    ['consolidation.enabled', { consolidation: { enabled: 1 } }],
    ['consolidation.episodicTtlDays', { consolidation: { episodicTtlDays: -1 } }],
    ['skills.allowList', { skills: { allowList: 'brew' } }],
    ['skills.maxInlineSkills', { skills: { maxInlineSkills: 1_001 } }],
    ['skills', { skills: [] }],
    ['prompt.mode', { prompt: { mode: 'everything' } }],
  ])('refuses a setting that no feature could read: %s', async (path, settings) => {
    const agent = await test.addAgent()
    for (const { status, body } of [
      await test.send('PATCH', `/v1/agents/${agent}`, { body: { settings } }),
      await create({ key: 'never-made', settings }),
    ]) {
      expect([status, body.code]).toEqual([400, 'invalid_input'])
      expect(body.issues[0].path).toBe(`settings.${path}`)
      expect(body.detail).not.toMatch(/Invalid|expected|received/)
    }
    const { body } = await test.send('GET', `/v1/agents/${agent}`)
    expect(body.settings).toEqual({})
  })

  it('changes other settings beside one that is stored and not valid, and takes that away', async () => {
    const agent = await test.addAgent()
    await test.storeSettings(agent, { prompt: { mode: 'everything' } })
    const patch = (settings: object) =>
      test.send('PATCH', `/v1/agents/${agent}`, { body: { settings } })
    expect((await patch({ skills: { pinned: ['a'] } })).status).toBe(200)
    expect((await patch({ prompt: { mode: null } })).body.settings).toEqual({
      prompt: {},
      skills: { pinned: ['a'] },
    })
  })

  it('refuses settings that grow too large by merging', async () => {
    await create({ key: 'growing', settings: { a: 'x'.repeat(40_000) } })
    const settings = { b: 'x'.repeat(40_000) }
    const { status } = await test.send('PATCH', '/v1/agents/growing', { body: { settings } })
    expect(status).toBe(400)
  })
})

describe('DELETE /v1/agents/{agent}', () => {
  it('deletes the agent with everything of all its users, and says how much that was', async () => {
    await create({ key: 'doomed' })
    for (const userId of ['alice', 'bob']) {
      const messages = [{ role: 'user', content: 'The boiler is in the cellar.' }]
      const path = url`/v1/agents/doomed/sessions/${userId}/messages`
      await test.send('POST', path, { body: { userId, messages } })
    }
    const content = 'The cellar key hangs by the door.'
    await test.send('PUT', '/v1/agents/doomed/memory/documents/MEMORY.md', { body: { content } })
    const { status, body } = await test.send('DELETE', '/v1/agents/doomed')
    expect(status).toBe(200)
    expect(body).toMatchObject({ agents: 1, sessions: 2, messages: 2, documents: 1, chunks: 3 })
    expect((await test.send('GET', '/v1/agents/doomed')).status).toBe(404)
    expect((await test.send('DELETE', '/v1/agents/doomed')).status).toBe(404)
  })
})

describe('a key of one user', () => {
  it('reads agents and changes none', async () => {
    const agent = await test.addAgent()
    const key = await test.addKey({ userId: 'alice' })
    expect((await test.send('GET', '/v1/agents', { key })).status).toBe(200)
    expect((await test.send('GET', `/v1/agents/${agent}`, { key })).status).toBe(200)
    for (const [method, path, body] of [
      ['POST', '/v1/agents', { key: 'mine' }],
      ['PATCH', `/v1/agents/${agent}`, { type: 'predefined' }],
      ['DELETE', `/v1/agents/${agent}`, undefined],
    ] as const) {
      const answer = await test.send(method, path, { key, body })
      expect(answer.status).toBe(403)
      expect(answer.body.code).toBe('forbidden')
    }
  })
})
