import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ApiError, type ChatCompletionChunk } from '../src/index.js'
import { startFaultyServer } from './faulty-server.js'
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
