import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApi, type TestApi } from '../open-test-api.js'

let test: TestApi
let agent = ''
beforeAll(async () => {
  test = await openTestApi()
  agent = await test.addAgent()
})
afterAll(async () => {
  await test.close()
})

const documents = () => `/v1/agents/${agent}/memory/documents`
const put = (path: string, body: unknown, key?: string) =>
  test.send('PUT', `${documents()}/${path}`, key === undefined ? { body } : { body, key })
const get = (path: string) => test.send('GET', `${documents()}/${path}`)

describe('PUT …/memory/documents/{path}', () => {
  it('writes a document, and replaces it', async () => {
    const first = await put('memory/plan.md', {
      userId: 'alice',
      content: '# Plan',
      metadata: { from: 'test' },
    })
    expect(first.status).toBe(201)
    expect(first.body).toMatchObject({
      path: 'memory/plan.md',
      userId: 'alice',
      contentLength: 6,
      indexing: 'complete',
      indexState: 'complete',
      metadata: { from: 'test' },
    })
    const again = await put('memory/plan.md', {
      userId: 'alice',
      content: '# Plan',
      metadata: { from: 'test' },
    })
    expect(again.status).toBe(200)
    expect(again.body).toMatchObject({ id: first.body.id, indexing: 'unchanged' })
    await put('memory/plan.md', { userId: 'alice', content: '# Plan B' })
    const { body } = await get('memory/plan.md?userId=alice')
    expect(body).toMatchObject({ id: first.body.id, content: '# Plan B' })
  })

  it.each([
    ['CRLF', 'one\r\ntwo'],
    ['emoji', '👩‍👩‍👧‍👦'],
    ['right-to-left text', 'שלום עולם'],
    ['CJK', '今日はいい天気'],
    ['nothing', ''],
    ['one long line', 'x'.repeat(100_000)],
  ])('keeps %s', async (_what, content) => {
    const written = await put('memory/kept.md', { content })
    expect(written.body.contentLength).toBe(content.length)
    const listed = await test.send('GET', `${documents()}?pathPrefix=memory/kept.md`)
    expect(listed.body.items).toMatchObject([{ contentLength: content.length }])
    expect((await get('memory/kept.md')).body.content).toBe(content)
  })

  it('cleans what cannot be stored', async () => {
    await put('memory/clean.md', { content: 'a\0b\uD800c' })
    expect((await get('memory/clean.md')).body.content).toBe('ab\uFFFDc')
  })

  it.each([
    ['a path out of the folder', 'memory/..%2F..%2Fetc.md'],
    ['a path out of the folder, in other words', '..%2Fsecret.md'],
    ['a path that is not absolute', '%2Fetc%2Fpasswd.md'],
    ['a backslash', 'memory%5Cplan.md'],
    ['NUL', 'memory/a%00.md'],
    ['half a surrogate pair', 'memory/%ED%A0%80.md'],
    ['malformed encoding', 'memory/%zz.md'],
    ['another kind of file', 'memory/plan.exe'],
    ['another folder', 'src/plan.md'],
    ['a path that only Loam writes', '_system/dream.md'],
    ['a path that is too long', `memory/${'x'.repeat(500)}.md`],
  ])('refuses %s', async (_what, path) => {
    const { status, body } = await put(path, { content: 'x' })
    expect(status).toBe(400)
    expect(body.code).toBe('invalid_input')
  })

  it.each(['memory/../../x.md', '../../../etc.md', 'memory/%2e%2e/%2E%2E/x.md'])(
    'writes nothing for %s, which a URL resolves',
    async (path) => {
      const { status } = await put(path, { content: 'x' })
      expect([400, 404, 405]).toContain(status)
    },
  )

  it.each([
    ['no content', {}, 'content'],
    ['content that is null', { content: null }, 'content'],
    ['an unknown field', { content: '', text: '' }, 'text'],
    ['a user with NUL', { content: '', userId: '\0' }, 'userId'],
  ])('refuses %s', async (_what, body, field) => {
    const answer = await put('MEMORY.md', body)
    expect(answer.status).toBe(400)
    expect(answer.body.issues[0].path).toBe(field)
  })

  it('refuses a text beyond the limit', async () => {
    const { status } = await put('memory/huge.md', { content: 'x'.repeat(3 * 1024 * 1024) })
    expect(status).toBe(400)
  })

  it('does not find an unknown agent', async () => {
    const path = '/v1/agents/nobody/memory/documents/MEMORY.md'
    expect((await test.send('PUT', path, { body: { content: '' } })).status).toBe(404)
  })
})

describe('whose a document is', () => {
  beforeAll(async () => {
    await put('MEMORY.md', { content: 'shared' })
    await put('MEMORY.md', { content: 'of ann', userId: 'ann' })
    await put('memory/ben.md', { content: 'of ben', userId: 'ben' })
  })

  it('is the own one for its user, and the shared one for all others', async () => {
    expect((await get('MEMORY.md?userId=ann')).body.content).toBe('of ann')
    expect((await get('MEMORY.md?userId=ben')).body.content).toBe('shared')
    expect((await get('MEMORY.md')).body.content).toBe('shared')
    expect((await get('memory/ben.md?userId=ann')).status).toBe(404)
    expect((await get('memory/ben.md')).status).toBe(404)
  })

  it('shows in the list', async () => {
    const { body } = await test.send('GET', `${documents()}?userId=ben&pathPrefix=memory/b`)
    expect(body.items).toMatchObject([{ path: 'memory/ben.md', userId: 'ben', contentLength: 6 }])
    expect(body.items[0]).not.toHaveProperty('content')
    const all = await test.send('GET', `${documents()}?userId=ann`)
    const owners = all.body.items.map((item: { userId: string }) => item.userId)
    expect(owners).toContain('ann')
    expect(owners).not.toContain('ben')
  })

  it('is decided by a key that is bound to a user', async () => {
    const key = await test.addKey({ userId: 'ann' })
    const path = `${documents()}/MEMORY.md`
    expect((await test.send('GET', path, { key })).body.content).toBe('of ann')
    expect((await test.send('GET', `${path}?userId=ben`, { key })).status).toBe(403)
    for (const userId of ['ben', '']) {
      expect((await put('MEMORY.md', { content: 'x', userId }, key)).status).toBe(403)
      expect((await test.send('DELETE', `${path}?userId=${userId}`, { key })).status).toBe(403)
    }
    expect((await put('memory/mine.md', { content: 'x' }, key)).body.userId).toBe('ann')
  })

  it('is never told by the body of a deletion', async () => {
    const path = `${documents()}/MEMORY.md`
    const { status, body } = await test.send('DELETE', path, { body: { userId: 'ann' } })
    expect(status).toBe(400)
    expect(body.detail).toContain('?userId=')
    expect((await get('MEMORY.md')).body.content).toBe('shared')
  })

  it('lets a user delete the own one and leaves the shared one', async () => {
    const path = `${documents()}/MEMORY.md?userId=ann`
    const { status, body } = await test.send('DELETE', path)
    expect(status).toBe(200)
    expect(body).toMatchObject({ documents: 1, chunks: 1, vectors: 1 })
    expect((await get('MEMORY.md?userId=ann')).body.content).toBe('shared')
    expect((await test.send('DELETE', path)).status).toBe(404)
  })
})
