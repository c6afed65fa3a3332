import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ApiError, type ChatCompletionChunk } from '../src/index.js'
import { answerWith, startFaultyServer, type Reaction } from './faulty-server.js'
import { openWorld, type World } from './open-world.js'

let world: World
beforeAll(async () => {
  world = await openWorld()
  await world.client.createAgent({ key: 'helper' })
})
afterAll(async () => {
  await world.close()
})

const said = (content: string) => [{ role: 'user', content }]
const ana = { agent: 'helper', userId: 'ana' }

/** All the text that the chunks bear. */
async function text(chunks: AsyncIterable<ChatCompletionChunk>): Promise<string> {
  let all = ''
  for await (const { choices } of chunks) all += choices[0]?.delta.content ?? ''
  return all
}

describe('chat', () => {
  it('answers, and remembers in a session of an odd name', async () => {
    world.answer(() => 'Hello, Ana.')
    const session = 'web/ü 1'
    const answer = await world.client.chat({ ...ana, session, messages: said('Hi!') })
    expect(answer.choices[0]?.message.content).toBe('Hello, Ana.')
    const { items } = await world.client.listMessages({ ...ana, session })
    expect(items.map(({ content }) => content)).toStrictEqual(['Hi!', 'Hello, Ana.'])
  })

  it('gives the faults of a model as those of the API', async () => {
    world.answer(() => ({ status: 500 }))
    const client = world.connect({ retries: 0 })
    const error = await client
      .chat({ ...ana, messages: said('?') })
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ code: expect.stringContaining('model') })
  })
})

/** Refuses a chat because of its key. */
function refuse(code: string, headers: Record<string, string>): Reaction {
  return (_, response) => {
    response
      .writeHead(409, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify({ error: { code, message: 'Conflict.' } }))
  }
}

describe('a chat that is being answered already', () => {
  const answered = JSON.stringify({ choices: [{ message: { content: 'Here it is.' } }] })
  const stillAnswering = refuse('still_answering', { 'retry-after': '0' })
  const ask = { ...ana, messages: said('?') }

  it('is asked for again until it is answered, however often that is', async () => {
    const waiting = Array.from({ length: 8 }, () => stillAnswering)
    await using server = await startFaultyServer(stillAnswering, ...waiting, answerWith(answered))
    const { choices } = await world.connect({ url: server.url }).chat(ask)
    expect(choices[0]?.message.content).toBe('Here it is.')
    expect(new Set(server.headers('idempotency-key')).size).toBe(1)
  })

  it.each([
    ['no retries are wanted', { retries: 0 }, stillAnswering, 'still_answering'],
    ['the key was used for something else', {}, refuse('conflict', {}), 'conflict'],
  ])('is not asked for again when %s', async (_, options, reaction, code) => {
    await using server = await startFaultyServer(reaction)
    const client = world.connect({ url: server.url, ...options })
    await expect(client.chat(ask)).rejects.toMatchObject({ status: 409, code })
    expect(server.count()).toBe(1)
  })
})

describe('streamChat', () => {
  it('tells the answer as it comes', async () => {
    world.answer(() => 'One two three.')
    const chunks = world.client.streamChat({ ...ana, session: 'stream', messages: said('Count!') })
    expect(await text(chunks)).toBe('One two three.')
    const { items } = await world.client.listMessages({ ...ana, session: 'stream' })
    expect(items).toHaveLength(2)
  })

  it('ends the request of who stops reading, and keeps what was said', async () => {
    world.answer(() => 'One two three.')
    for await (const _ of world.client.streamChat({
      ...ana,
      session: 'left',
      messages: said('Bye'),
    }))
      break
    const { items } = await world.client.listMessages({ ...ana, session: 'left' })
    expect(items[0]).toMatchObject({ role: 'user', content: 'Bye' })
  })

  it('tells an answer that breaks off from one that has ended', async () => {
    const chunk = `data: ${JSON.stringify({ choices: [{ delta: { content: 'One' } }] })}\n\n`
    await using server = await startFaultyServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(chunk)
    })
    const chunks = world.connect({ url: server.url }).streamChat({ ...ana, messages: said('?') })
    await expect(text(chunks)).rejects.toMatchObject({ code: 'cut_off' })
  })

  it('tells a connection that breaks in the middle of an answer', async () => {
    await using server = await startFaultyServer((request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: {"choices":[]}\n\n', () => request.socket.destroy())
    })
    const chunks = world.connect({ url: server.url }).streamChat({ ...ana, messages: said('?') })
    await expect(text(chunks)).rejects.toMatchObject({ name: 'ApiError', code: 'cut_off' })
  })

  it.each([
    ['no JSON', 'data: nonsense\n\n'],
    ['nothing', 'data: null\n\n'],
    ['a line that is longer than any may be', `data: ${'x'.repeat(17 * 1024 * 1024)}`],
  ])('tells of %s in the place of a piece', async (_, body) => {
    await using server = await startFaultyServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(body)
    })
    const chunks = world.connect({ url: server.url }).streamChat({ ...ana, messages: said('?') })
    await expect(text(chunks)).rejects.toMatchObject({ name: 'ApiError', code: 'unreadable' })
  })

  it('ends with the reason of its signal', async () => {
    const reason = new Error('Enough.')
    const abort = new AbortController()
    await using server = await startFaultyServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: {"choices":[{"delta":{}}]}\n\n')
    })
    const chunks = world
      .connect({ url: server.url })
      .streamChat({ ...ana, messages: said('?') }, { signal: abort.signal })
    await chunks.next()
    abort.abort(reason)
    await expect(chunks.next()).rejects.toBe(reason)
  })

  it('tells a fault in the middle of an answer', async () => {
    const error = {
      message: 'The model went away.',
      type: 'server_error',
      param: null,
      code: 'model_failed',
    }
    await using server = await startFaultyServer((_, response) => {
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(`data: ${JSON.stringify({ error })}\n\n`)
    })
    const chunks = world.connect({ url: server.url }).streamChat({ ...ana, messages: said('?') })
    await expect(text(chunks)).rejects.toMatchObject({
      name: 'ApiError',
      code: 'model_failed',
      message: 'The model went away.',
    })
  })
})
