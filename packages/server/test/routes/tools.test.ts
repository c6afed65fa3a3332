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

const call = (tool: string, body: object, key?: string) =>
  test.send('POST', `/v1/agents/${agent}/tools/${tool}`, {
    body,
    ...(key !== undefined && { key }),
  })

describe('the tools of an agent', () => {
  it('are listed with the schema of their arguments', async () => {
    const { body } = await test.send('GET', `/v1/agents/${agent}/tools?userId=ana`)
    expect(body.items.map(({ name }: { name: string }) => name)).toEqual([
      'memory_search',
      'memory_get',
      'skill_search',
      'use_skill',
      'read_file',
      'write_file',
    ])
    expect(body.items[0]).toMatchObject({
      isReadOnly: true,
      inputSchema: { type: 'object', required: ['query'] },
    })
  })

  it('do what the model says, for the user alone', async () => {
    const note = { path: 'MEMORY.md', content: 'Moved to Porto.' }
    await call('write_file', { userId: 'ana', arguments: JSON.stringify(note) })
    const search = { arguments: { query: 'Porto' } }
    const found = await call('memory_search', { userId: 'ana', ...search })
    expect(found.body).toEqual({ content: expect.stringContaining('Porto'), isError: false })
    const other = await call('memory_search', { userId: 'bob', ...search })
    expect(other.body.content).toContain('Nothing is remembered')
  })

  it('answer to the model when the arguments do not fit', async () => {
    const { status, body } = await call('memory_search', { userId: 'ana', arguments: '{"query":' })
    expect(status).toBe(200)
    expect(body).toEqual({ content: expect.stringContaining('no JSON object'), isError: true })
  })

  it('are named when there is none of the name', async () => {
    const { status, body } = await call('no_such', { userId: 'ana' })
    expect([status, body.code]).toEqual([404, 'not_found'])
    expect(body.detail).toContain('memory_search')
  })

  it('are refused to a key of another user', async () => {
    const key = await test.addKey({ userId: 'bob' })
    const { status } = await call('memory_search', { userId: 'ana', arguments: {} }, key)
    expect(status).toBe(403)
  })
})
