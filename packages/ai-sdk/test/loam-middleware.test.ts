import {
  generateText,
  stepCountIs,
  streamText,
  tool,
  wrapLanguageModel,
  type ModelMessage,
} from 'ai'
import { z } from 'zod'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { loamMiddleware, loamTools } from '../src/index.js'
import { openWorld, readStored, type AskedModel, type World } from './open-world.js'

let world: World
beforeAll(async () => {
  world = await openWorld()
  await world.client.createAgent({ key: 'helper' })
})
afterAll(async () => {
  await world.close()
})

let sessions = 0

/** A conversation of its own, and a model that remembers it. */
function begin({ userId = `user-${sessions + 1}` } = {}) {
  sessions += 1
  const place = { agent: 'helper', userId, session: `session-${sessions}` }
  const middleware = loamMiddleware(world.client, place)
  return {
    place,
    model: wrapLanguageModel({ model: world.model, middleware }),
    stored: () => readStored(world.client, place),
    tools: () => loamTools(world.client, place),
  }
}

/** A reply that calls a tool. */
function call(name: string, given: unknown, id = 'call-1') {
  return {
    text: null,
    toolCalls: [{ id, name, arguments: JSON.stringify(given) }],
    finishReason: 'tool_calls',
  }
}

describe('a model with the middleware', () => {
  it('is told who it is, and the application’s own instructions', async () => {
    const { model } = begin()
    let asked: AskedModel | undefined
    world.answer((request) => {
      asked = request
      return 'Hello!'
    })
    const { text } = await generateText({ model, system: 'Speak like a pirate.', prompt: 'Hi' })
    expect(text).toBe('Hello!')
    expect(asked?.messages.map(({ role }) => role)).toStrictEqual(['system', 'user'])
    expect(asked?.messages[0]?.content).toMatch(
      /<extra_context>\s*Speak like a pirate\.[\s\S]*<context_file/,
    )
  })

  it('stores what both say, and reports the turn', async () => {
    const { model, stored, place } = begin()
    world.answer(() => 'Noted: no peanuts, ever, in any of the meals that we plan for the week.')
    await generateText({ model, prompt: 'I never eat peanuts, since they nearly killed me once.' })
    await generateText({
      model,
      prompt: 'Please plan all dinners of this week without any of them.',
    })
    expect(await stored()).toMatchObject([
      { role: 'user', content: expect.stringContaining('never eat peanuts') },
      { role: 'assistant', content: expect.stringContaining('no peanuts') },
      { role: 'user' },
      { role: 'assistant' },
    ])
    await vi.waitFor(async () => {
      const { items } = await world.client.listEpisodes({ agent: 'helper', userId: place.userId })
      expect(items).toHaveLength(1)
    }, 10_000)
  })

  it('stores only what is new of a conversation that the application keeps', async () => {
    const { model, stored } = begin()
    world.answer(({ index }) => `Answer ${index}`)
    const messages: ModelMessage[] = []
    for (const content of ['One', 'Two', 'Two']) {
      messages.push({ role: 'user', content })
      const { response } = await generateText({ model, messages })
      messages.push(...response.messages)
    }
    expect((await stored()).map(({ content }) => content)).toStrictEqual([
      'One',
      'Answer 0',
      'Two',
      'Answer 1',
      'Two',
      'Answer 2',
    ])
  })

  it('keeps what was said to a model that fails, and stores it once when it is said again', async () => {
    const { model, stored } = begin()
    world.answer(() => ({ status: 500 }))
    await expect(generateText({ model, prompt: 'Remember me', maxRetries: 1 })).rejects.toThrow(
      'Failed after 2 attempts',
    )
    expect(await stored()).toMatchObject([{ role: 'user', content: 'Remember me' }])
    world.answer(() => 'I do.')
    await generateText({ model, prompt: 'Remember me' })
    expect(await stored()).toMatchObject([{ content: 'Remember me' }, { content: 'I do.' }])
  })

  it.each([
    ['one part', [{ type: 'text', text: 'Hi' }]],
    [
      'two parts',
      [
        { type: 'text', text: 'Hi' },
        { type: 'text', text: 'there' },
      ],
    ],
    [
      'a picture',
      [
        { type: 'text', text: 'Look' },
        { type: 'image', image: new Uint8Array([1]), mediaType: 'image/png' },
      ],
    ],
    ['what cannot be stored', 'a\0b'],
    ['half a pair', 'a\uD800b'],
    ['a byte order mark', '\uFEFFhi'],
  ] as const)('stores %s once when it is said again', async (_, content) => {
    const { model, stored } = begin()
    const messages = [{ role: 'user', content }] as ModelMessage[]
    world.answer(() => ({ status: 500 }))
    await expect(generateText({ model, messages, maxRetries: 0 })).rejects.toMatchObject({
      statusCode: 500,
    })
    world.answer(() => 'Here I am.')
    await generateText({ model, messages })
    expect(await stored()).toMatchObject([{ role: 'user' }, { content: 'Here I am.' }])
  })

  it('keeps an answer that is larger than a message may be', async () => {
    const { model, stored } = begin()
    const note = tool({ inputSchema: z.object({ text: z.string() }), execute: () => 'Noted.' })
    const long = 'x'.repeat(1_200_000)
    const calls = [0, 1, 2].map((index) => ({
      id: `${index}-${'i'.repeat(600)}`,
      name: index === 0 ? 'n'.repeat(5_000) : 'note',
      arguments: JSON.stringify({ text: index === 1 ? long : 'short' }),
    }))
    world.answer(({ index }) =>
      index === 0 ? { text: long, toolCalls: calls, finishReason: 'tool_calls' } : 'Done.',
    )
    const { text } = await generateText({
      model,
      prompt: 'Go',
      tools: { note },
      stopWhen: stepCountIs(2),
    })
    expect(text).toBe('Done.')
    // What was said, the answer in two pieces, the calls one by one, what they came to, the last answer.
    const roles = (await stored()).map(({ role, calls: names }) => names?.[0]?.slice(0, 4) ?? role)
    expect(roles).toStrictEqual(
      'user assistant assistant nnnn note note tool tool tool assistant'.split(' '),
    )
  })

  it('keeps an answer whose provider cannot count', async () => {
    const { model, stored } = begin()
    world.answer(() => ({ text: 'Hello.', usage: { prompt_tokens: 1.5, completion_tokens: -1 } }))
    await generateText({ model, prompt: 'Hi' })
    expect(await stored()).toMatchObject([{ content: 'Hi' }, { content: 'Hello.' }])
  })

  it('streams, and has stored the answer when the stream has ended', async () => {
    const { model, stored } = begin()
    world.answer(() => 'One two three.')
    const { textStream } = streamText({ model, prompt: 'Count' })
    let text = ''
    for await (const part of textStream) text += part
    expect(text).toBe('One two three.')
    expect(await stored()).toMatchObject([{ content: 'Count' }, { content: 'One two three.' }])
  })

  it('keeps what was said when a stream is cancelled', async () => {
    const { model, stored } = begin()
    world.answer(() => ({ text: 'Never mind.', delayMs: 2_000 }))
    const abort = new AbortController()
    const stream = streamText({
      model,
      prompt: 'Wait',
      abortSignal: abort.signal,
      onError: () => {},
    })
    setTimeout(() => abort.abort(), 300)
    await stream.consumeStream()
    expect(await stored()).toMatchObject([{ role: 'user', content: 'Wait' }])
  })

  it('keeps pictures as references, and not their bytes', async () => {
    const { model, stored } = begin()
    world.answer(() => 'A cat.')
    const picture = {
      type: 'image',
      image: new Uint8Array([1, 2, 3]),
      mediaType: 'image/png',
    } as const
    await generateText({
      model,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'What is it?' }, picture] }],
    })
    expect(await stored()).toMatchObject([
      { content: [{ type: 'text', text: 'What is it?' }, { type: 'image' }] },
      { content: 'A cat.' },
    ])
  })

  it('does slash commands', async () => {
    const { model, stored } = begin()
    let asked: AskedModel | undefined
    world.answer((request) => {
      asked = request
      return 'There are none.'
    })
    await generateText({ model, prompt: '/list-skills' })
    expect((await stored())[0]).toMatchObject({ content: '/list-skills' })
    expect(asked?.messages.at(-1)?.content).not.toBe('/list-skills')
  })

  it('tells why Loam refuses', async () => {
    const middleware = loamMiddleware(world.client, { agent: 'nobody', userId: 'ana' })
    const model = wrapLanguageModel({ model: world.model, middleware })
    await expect(generateText({ model, prompt: 'Hi', maxRetries: 0 })).rejects.toMatchObject({
      name: 'ApiError',
      code: 'not_found',
    })
  })
})

describe('tools', () => {
  it('find what was said in another session; what they say is not learned again', async () => {
    const first = begin({ userId: 'ana' })
    world.answer(() => 'Noted.')
    await generateText({ model: first.model, prompt: 'I ride the tram to work.' })
    const second = begin({ userId: 'ana' })
    world.answer(({ index, messages }) =>
      index === 0 ? call('memory_search', { query: 'tram' }) : `Found: ${messages.at(-1)?.content}`,
    )
    const { text } = await generateText({
      model: second.model,
      prompt: 'How do I get to work?',
      tools: await second.tools(),
      stopWhen: stepCountIs(4),
    })
    expect(text).toContain('I ride the tram to work.')
    expect(await second.stored()).toMatchObject([
      { role: 'user', content: 'How do I get to work?' },
      { role: 'assistant', content: null, calls: ['memory_search'], origin: 'injected' },
      { role: 'tool', toolCallId: 'call-1', origin: 'injected' },
      { role: 'assistant', content: expect.stringContaining('Found') },
    ])
  })

  it('find nothing of another user', async () => {
    const stranger = begin({ userId: 'eve' })
    world.answer(({ index, messages }) =>
      index === 0 ? call('memory_search', { query: 'tram' }) : `Found: ${messages.at(-1)?.content}`,
    )
    const { text } = await generateText({
      model: stranger.model,
      prompt: 'How does Ana get to work?',
      tools: await stranger.tools(),
      stopWhen: stepCountIs(4),
    })
    expect(text).not.toContain('I ride the tram')
  })

  it('tell the model what they could not do', async () => {
    const { model, tools } = begin()
    world.answer(({ index, messages }) =>
      index === 0 ? call('memory_get', {}) : String(messages.at(-1)?.content),
    )
    const { text, steps } = await generateText({
      model,
      prompt: 'Read it',
      tools: await tools(),
      stopWhen: stepCountIs(4),
    })
    expect(steps[0]?.content.some(({ type }) => type === 'tool-error')).toBe(true)
    expect(text).toContain('path')
  })

  it('of the application work beside Loam’s, several at once', async () => {
    const { model, tools, stored } = begin()
    const weather = tool({
      inputSchema: z.object({ city: z.string() }),
      execute: ({ city }) => `Sunny in ${city}`,
    })
    world.answer(({ index }) =>
      index === 0
        ? {
            text: 'Let me look.',
            toolCalls: [
              { id: 'w-1', name: 'weather', arguments: '{"city":"Porto"}' },
              { id: 'm-1', name: 'memory_search', arguments: '{"query":"Porto"}' },
            ],
            finishReason: 'tool_calls',
          }
        : 'Sunny.',
    )
    await generateText({
      model,
      prompt: 'Weather?',
      tools: { ...(await tools()), weather },
      stopWhen: stepCountIs(4),
    })
    expect(await stored()).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: 'Let me look.', calls: ['weather', 'memory_search'] },
      { role: 'tool', toolCallId: 'w-1', content: 'Sunny in Porto' },
      { role: 'tool', toolCallId: 'm-1', origin: 'injected' },
      { role: 'assistant', content: 'Sunny.' },
    ])
  })

  it('go on in a later request', async () => {
    const { place, stored } = begin()
    const ask = tool({ inputSchema: z.object({ question: z.string() }), outputSchema: z.string() })
    const fresh = () =>
      wrapLanguageModel({ model: world.model, middleware: loamMiddleware(world.client, place) })
    world.answer(({ index }) =>
      index === 0 ? call('ask', { question: 'Which?' }, 'ask-1') : 'Thanks.',
    )
    const messages: ModelMessage[] = [{ role: 'user', content: 'Ask me' }]
    const { response } = await generateText({ model: fresh(), messages, tools: { ask } })
    messages.push(...response.messages, {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'ask-1',
          toolName: 'ask',
          output: { type: 'text', value: 'Blue' },
        },
      ],
    })
    await generateText({ model: fresh(), messages, tools: { ask } })
    expect(await stored()).toMatchObject([
      { role: 'user', content: 'Ask me' },
      { role: 'assistant', calls: ['ask'] },
      { role: 'tool', content: 'Blue' },
      { role: 'assistant', content: 'Thanks.' },
    ])
  })
})
