import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApi, url, type TestApi } from '../open-test-api.js'

let test: TestApi
let agent = ''
beforeAll(async () => {
  test = await openTestApi()
  agent = await test.addAgent()
  for (const [userId, content] of [
    ['alice', 'My sister Ana is allergic to peanuts.'],
    ['bob', 'My dog Rex is allergic to grass.'],
  ] as const) {
    const path = url`/v1/agents/${agent}/sessions/${userId}/messages`
    const messages = [
      { id: `of-${userId}`, role: 'user', content, createdAt: '2026-11-01T09:00:00Z' },
    ]
    await test.send('POST', path, { body: { userId, messages } })
  }
  const content = '# Allergies\n\nAsk for allergies before cooking.'
  await test.send('PUT', `/v1/agents/${agent}/memory/documents/MEMORY.md`, { body: { content } })
})
afterAll(async () => {
  await test.close()
})

const search = (body: unknown, key?: string) =>
  test.send(
    'POST',
    `/v1/agents/${agent}/memory/search`,
    key === undefined ? { body } : { body, key },
  )

describe('POST …/memory/search', () => {
  it('finds what the user said and what all share, and says where it stands', async () => {
    const { status, body } = await search({ query: 'Who is allergic?', userId: 'alice' })
    expect(status).toBe(200)
    expect(body.count).toBe(body.results.length)
    expect(body.results[0].score).toBe(1)
    expect(body.results).toContainEqual({
      id: expect.any(String),
      source: 'messages',
      score: expect.any(Number),
      text: expect.stringContaining('Ana is allergic to peanuts'),
      scope: 'personal',
      session: 'alice',
      sequence: 1,
      messageId: 'of-alice',
      createdAt: '2026-11-01T09:00:00.000Z',
    })
    expect(body.results).toContainEqual(
      expect.objectContaining({
        source: 'documents',
        scope: 'global',
        path: 'MEMORY.md',
        startLine: 1,
      }),
    )
    expect(JSON.stringify(body)).not.toContain('Rex')
  })

  it('finds the shared part alone for an empty user', async () => {
    const { body } = await search({ query: 'allergic allergies', userId: '' })
    expect(body.results.map((result: { scope: string }) => result.scope)).toStrictEqual(['global'])
  })

  it('searches for the user of the key', async () => {
    const key = await test.addKey({ userId: 'bob' })
    const { body } = await search({ query: 'Who is allergic?' }, key)
    expect(JSON.stringify(body)).toContain('Rex')
    expect(JSON.stringify(body)).not.toContain('Ana')
    for (const userId of ['alice', '']) {
      expect((await search({ query: 'allergic', userId }, key)).status).toBe(403)
    }
  })

  it('keeps to the sources and the number asked for', async () => {
    const documents = await search({
      query: 'allergic allergies',
      userId: 'alice',
      sources: ['documents'],
    })
    expect(documents.body.results.map((result: { source: string }) => result.source)).toStrictEqual(
      ['documents'],
    )
    const one = await search({ query: 'allergic allergies', userId: 'alice', maxResults: 1 })
    expect(one.body.count).toBe(1)
  })

  it('explains a score when asked', async () => {
    const { body } = await search({ query: 'allergic to peanuts', userId: 'alice', explain: true })
    expect(body.explanation).toMatchObject({ weights: { lexical: expect.any(Number) } })
    expect(body.results[0].explanation).toMatchObject({ matchedTerms: expect.any(Array) })
    const plain = await search({ query: 'allergic to peanuts', userId: 'alice' })
    expect(plain.body).not.toHaveProperty('explanation')
  })

  it.each([
    'zzzzqqq',
    '?!',
    '% _ \\ \' " ; --',
    'a\uFEFF',
    '\u202E',
    '👍',
    '今日',
    'x'.repeat(200_000),
    ' ',
  ])('answers the query %j', async (query) => {
    const { status, body } = await search({ query, userId: 'alice' })
    expect(status).toBe(200)
    expect(body.count).toBe(body.results.length)
  })

  it.each([
    ['no query', { userId: 'a' }, 'query'],
    ['an empty query', { query: '', userId: 'a' }, 'query'],
    ['a query that is a list', { query: ['x'], userId: 'a' }, 'query'],
    ['no user', { query: 'x' }, 'userId'],
    ['no result', { query: 'x', userId: 'a', maxResults: 0 }, 'maxResults'],
    ['51 results', { query: 'x', userId: 'a', maxResults: 51 }, 'maxResults'],
    ['half a result', { query: 'x', userId: 'a', maxResults: 1.5 }, 'maxResults'],
    ['a score above 1', { query: 'x', userId: 'a', minScore: 1.1 }, 'minScore'],
    ['a score that is text', { query: 'x', userId: 'a', minScore: '0.5' }, 'minScore'],
    ['an unknown source', { query: 'x', userId: 'a', sources: ['graph'] }, 'sources.0'],
    ['no source', { query: 'x', userId: 'a', sources: [] }, 'sources'],
    ['an unknown time zone', { query: 'x', userId: 'a', timezone: 'Mars/Olympus' }, 'timezone'],
    ['a moment without offset', { query: 'x', userId: 'a', now: '2026-11-30' }, 'now'],
    ['another spelling of a field', { query: 'x', userId: 'a', max_results: 5 }, 'max_results'],
  ])('refuses %s and names it', async (_what, body, field) => {
    const answer = await search(body)
    expect(answer.status).toBe(400)
    expect(answer.body.issues[0].path).toBe(field)
  })

  it('does not find an unknown agent, or one of another tenant', async () => {
    const body = { query: 'allergic', userId: 'alice' }
    expect((await test.send('POST', '/v1/agents/nobody/memory/search', { body })).status).toBe(404)
    const key = await test.addKey({ tenantId: '0193a5b0-7000-7000-8000-0000000000b1' })
    expect((await search(body, key)).status).toBe(404)
  })

  it('keeps two tenants apart that use the same names for everything', async () => {
    const key = await test.addKey({ tenantId: '0193a5b0-7000-7000-8000-0000000000b2' })
    await test.send('POST', '/v1/agents', { key, body: { key: agent } })
    const path = url`/v1/agents/${agent}/sessions/alice/messages`
    const messages = [{ id: 'of-alice', role: 'user', content: 'My boat is called Gull.' }]
    await test.send('POST', path, { key, body: { userId: 'alice', messages } })
    const theirs = await search({ query: 'peanuts boat allergic', userId: 'alice' }, key)
    expect(theirs.body.results).toMatchObject([{ text: expect.stringContaining('Gull') }])
    const ours = await search({ query: 'peanuts boat allergic', userId: 'alice' })
    expect(JSON.stringify(ours.body)).not.toContain('Gull')
  })
})
