import { describe, expect, it } from 'vitest'
import { startModelServer } from '../../src/testing/index.js'

async function post(url: string, body: unknown): Promise<Response> {
  return fetch(url, { method: 'POST', body: JSON.stringify(body) })
}

describe('startModelServer', () => {
  it('answers by rule and records what it got', async () => {
    await using server = await startModelServer({
      chat: ({ body, index }) => `${String(body.model)} ${index}`,
      embeddings: () => [[1, 2]],
    })
    const url = `${server.baseUrl}/chat/completions`
    await post(url, { model: 'first' })
    const chat: unknown = await (await post(url, { model: 'second' })).json()
    expect(chat).toMatchObject({ choices: [{ message: { content: 'second 1' } }] })
    const embedding = await post(`${server.baseUrl}/embeddings`, { input: ['a'] })
    expect(await embedding.json()).toMatchObject({ data: [{ index: 0, embedding: [1, 2] }] })
    expect(server.requests.map(({ kind, index, body }) => [kind, index, body])).toEqual([
      ['chat', 0, { model: 'first' }],
      ['chat', 1, { model: 'second' }],
      ['embeddings', 0, { input: ['a'] }],
    ])
  })

  it('counts what it got by kind', async () => {
    await using server = await startModelServer({ chat: () => 'Hi', embeddings: () => [[1]] })
    expect(server.count('chat')).toBe(0)
    for (const path of ['chat/completions', 'chat/completions', 'embeddings', 'models']) {
      await post(`${server.baseUrl}/${path}`, {})
    }
    const counts = [server.count('chat'), server.count('embeddings'), server.count('unknown')]
    expect(counts).toEqual([2, 1, 1])
  })

  it.each([{ cut: true }, { cut: 'chunked' }] as const)('breaks off as told by %j', async (cut) => {
    await using server = await startModelServer({ chat: () => cut })
    const response = await post(`${server.baseUrl}/chat/completions`, {})
    expect(response.status).toBe(200)
    expect(response.headers.has('content-length')).toBe(cut.cut === true)
    await expect(response.text()).rejects.toThrow('terminated')
  })

  it('says what embeddings cost, unless it is not to', async () => {
    await using server = await startModelServer({
      embeddings: ({ index }) => ({ vectors: [[1]], ...(index === 1 && { usage: null }) }),
    })
    const ask = async () => (await post(`${server.baseUrl}/embeddings`, {})).json()
    expect(await ask()).toMatchObject({ usage: { prompt_tokens: 10, total_tokens: 10 } })
    expect(await ask()).not.toHaveProperty('usage')
  })

  it('answers 404 for what has no rule', async () => {
    await using server = await startModelServer({})
    expect((await post(`${server.baseUrl}/chat/completions`, {})).status).toBe(404)
    expect((await post(`${server.baseUrl}/models`, {})).status).toBe(404)
    expect(server.requests.map(({ kind }) => kind)).toEqual(['chat', 'unknown'])
  })

  it('answers an error with its status, headers and body', async () => {
    await using server = await startModelServer({
      chat: () => ({
        status: 429,
        error: { message: 'slow down', code: 'rate_limit' },
        headers: { 'retry-after': '7' },
      }),
    })
    const response = await post(`${server.baseUrl}/chat/completions`, {})
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '7'])
    expect(await response.json()).toEqual({ error: { message: 'slow down', code: 'rate_limit' } })
  })

  it('answers 500 and says so when a rule throws', async () => {
    await using server = await startModelServer({
      chat: () => {
        throw new Error('no such prompt')
      },
    })
    const response = await post(`${server.baseUrl}/chat/completions`, {})
    expect(response.status).toBe(500)
    expect(await response.text()).toContain('no such prompt')
  })

  it('drops hanging requests when it closes, and may be closed twice', async () => {
    const server = await startModelServer({ chat: () => ({ hang: true }) })
    const hanging = post(`${server.baseUrl}/chat/completions`, {})
    // Handled from the start, since it fails while the server closes.
    const outcome = hanging.then(
      () => 'answered',
      () => 'dropped',
    )
    while (server.requests.length === 0) await new Promise(setImmediate)
    await server.close()
    await server.close()
    expect(await outcome).toBe('dropped')
  })
})
