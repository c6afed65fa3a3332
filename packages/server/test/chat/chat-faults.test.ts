import { MODEL_FAULTS } from '@loam/models/testing'
import { APIError, type OpenAI } from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openTestApi, type RequestOptions, type TestApi } from '../open-test-api.js'
import { openChatWorld, type ChatWorld } from './chat-world.js'

let world: ChatWorld
let agent = ''
beforeAll(async () => {
  world = await openChatWorld()
})
afterAll(async () => {
  await world.close()
})
beforeEach(async () => {
  agent = await world.test.addAgent()
})

const says = (content: string) => ({ role: 'user' as const, content })
const textPart = (said: string) => ({ type: 'text', text: said })
const picture = { type: 'image_url', image_url: { url: 'https://example.org/cat.png' } }
const search = (id: string) => ({ id, name: 'memory_search', arguments: '{"query":"tea"}' })

const ask = (text: string, { client = world.client() }: { client?: OpenAI } = {}) =>
  client.chat.completions.create({
    model: `loam:${agent}`,
    user: 'ana',
    messages: [says(text)],
  })

/** Role and text of what was said, without what tools did. */
const spokenIn = async () =>
  (await world.stored(agent, 'chat/ana', 'ana'))
    .filter(({ origin }) => origin === 'conversation')
    .map(({ role, content }) => [role, content])

describe('a route of OpenAI that Loam has not', () => {
  it.each([
    ['/v1/responses', 'POST /v1/chat/completions'],
    ['/v1/embeddings', 'POST /v1/chat/completions'],
    ['/chat/completions', 'a base URL that ends with /v1'],
  ])('is refused in the words of OpenAI: %s', async (path, hint) => {
    const { status, body } = await world.test.send('POST', path, { body: {} })
    expect(status).toBe(404)
    expect(body.error).toMatchObject({ code: 'not_found', message: expect.stringContaining(hint) })
  })
})

describe('what the user said is never lost', () => {
  const faults = Object.entries(MODEL_FAULTS).flatMap(([name, { what, nature, ...fault }]) =>
    'chat' in fault && nature !== 'harmless' && name !== 'hang' ? [{ what, chat: fault.chat }] : [],
  )
  it.each(faults)('when the model $what', async ({ chat }) => {
    world.answer(() => chat('Hello, Ana.'))
    const answer = await ask('I drink green tea.').catch((error: unknown) => error)
    // Faults that concern JSON are none for a conversation.
    const isAnswered = !(answer instanceof APIError)
    expect(answer).toMatchObject(
      isAnswered ? { object: 'chat.completion' } : { status: 502, type: 'server_error' },
    )
    expect((await spokenIn())[0]).toEqual(['user', 'I drink green tea.'])
  })

  it('when the model never answers and the client gives up', async () => {
    world.answer(() => ({ hang: true }))
    await expect(
      ask('I drink green tea.', { client: world.client({ timeout: 300 }) }),
    ).rejects.toThrow('timed out')
    expect(await spokenIn()).toEqual([['user', 'I drink green tea.']])
  })

  it('when the model fails after it called a tool', async () => {
    world.answer(({ index }) =>
      index === 0 ? { text: null, toolCalls: [search('a')] } : { status: 400 },
    )
    await expect(ask('I drink green tea.')).rejects.toMatchObject({ status: 502 })
    expect(await spokenIn()).toEqual([['user', 'I drink green tea.']])
  })

  it('when the stream is cancelled in the middle', async () => {
    world.answer(({ index }) =>
      index === 0 ? { text: 'Let me look.', toolCalls: [search('a')] } : { hang: true },
    )
    const before = world.model.count('chat')
    const stream = await world.client().chat.completions.create({
      model: `loam:${agent}`,
      user: 'ana',
      messages: [says('Tell me a long story.')],
      stream: true,
    })
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break
    await vi.waitUntil(() => world.model.count('chat') === before + 2)
    expect(await spokenIn()).toEqual([['user', 'Tell me a long story.']])
  })

  it('when the model fails in the middle of a stream, which the client is told', async () => {
    world.answer(({ index }) =>
      index === 0 ? { text: 'Let me look.', toolCalls: [search('a')] } : { status: 400 },
    )
    const stream = await world.client().chat.completions.create({
      model: `loam:${agent}`,
      user: 'ana',
      messages: [says('Tell me a long story.')],
      stream: true,
    })
    let text = ''
    const reading = (async () => {
      for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
    })()
    await expect(reading).rejects.toThrow(APIError)
    expect(text).toBe('Let me look.')
    expect(await spokenIn()).toEqual([['user', 'Tell me a long story.']])
  })
})

const openStream = (change: object = {}, headers: Readonly<Record<string, string>> = {}) =>
  world.test.send('POST', '/v1/chat/completions', {
    body: { ...good(), stream: true, ...change },
    headers,
  })

describe('a stream that fails before its first text is refused as any request is', () => {
  it.each([
    ['refuses', { status: 400 }],
    ['knows no such key', { status: 401 }],
    ['sends nonsense', { raw: 'nonsense' }],
  ])('when the model %s', async (_what, reply) => {
    world.answer(() => reply)
    const { status, body } = await openStream()
    expect([status, body.error.code]).toEqual([502, 'model_failed'])
  })

  it('when the session is another user’s', async () => {
    world.answer(() => 'Hello.')
    const session = { 'X-Loam-Session-Id': 'stand-up' }
    await openStream({ stream: false }, session)
    const { status, body } = await openStream({ user: 'bob' }, session)
    expect([status, body.error.code]).toEqual([404, 'not_found'])
  })
})

describe('nothing is doubled', () => {
  it('when a client tries again by itself after a failure', async () => {
    world.answer(({ index }) => (index === 0 ? { raw: 'nonsense' } : 'Noted.'))
    await expect(ask('I drink green tea.')).rejects.toMatchObject({ status: 502 })
    await ask('I drink green tea.')
    expect(await spokenIn()).toEqual([
      ['user', 'I drink green tea.'],
      ['assistant', 'Noted.'],
    ])
  })

  it('when what was not answered stands before what is said next', async () => {
    world.answer(() => ({ status: 400 }))
    await expect(ask('I drink green tea.')).rejects.toMatchObject({ status: 502 })
    world.answer(() => 'Noted.')
    await world.client().chat.completions.create({
      model: `loam:${agent}`,
      user: 'ana',
      messages: [says('I drink green tea.'), says('And no coffee.')],
    })
    expect(await spokenIn()).toEqual([
      ['user', 'I drink green tea.'],
      ['user', 'And no coffee.'],
      ['assistant', 'Noted.'],
    ])
  })

  it('when a request with an idempotency key is sent again, which is answered as before', async () => {
    world.answer(({ index }) => `Answer ${index}.`)
    const send = () =>
      world
        .client()
        .chat.completions.create(
          { model: `loam:${agent}`, user: 'ana', messages: [says('Hello')] },
          { headers: { 'Idempotency-Key': 'turn-1' } },
        )
    const answers = [await send(), await send()]
    expect(answers.map(({ choices }) => choices[0]?.message.content)).toEqual([
      'Answer 0.',
      'Answer 0.',
    ])
    expect(await spokenIn()).toEqual([
      ['user', 'Hello'],
      ['assistant', 'Answer 0.'],
    ])
  })

  it('when a request with an idempotency key comes while the first is answered', async () => {
    world.answer(({ index }) => ({ text: `Answer ${index}.`, delayMs: 200 }))
    const send = () =>
      world
        .client({ maxRetries: 5 })
        .chat.completions.create(
          { model: `loam:${agent}`, user: 'ana', messages: [says('Hello')] },
          { headers: { 'Idempotency-Key': 'turn-2' } },
        )
    const answers = await Promise.all([send(), send()])
    expect(answers.map(({ choices }) => choices[0]?.message.content)).toEqual([
      'Answer 0.',
      'Answer 0.',
    ])
    expect(await spokenIn()).toHaveLength(2)
  })

  it.each([
    ['one part', [textPart('Hello')]],
    ['two parts', [textPart('Hello'), textPart('Ana here.')]],
    ['a picture and text', [picture, textPart('What is this?')]],
    ['sound', [{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }]],
    ['a NUL', 'a\u0000b'],
    ['half of a surrogate pair', 'a\ud800b'],
    ['a byte order mark', '\ufeffhi'],
  ])('when %s is said again after a failure', async (_what, content) => {
    const body = { ...good(), messages: [{ role: 'user', content }] }
    world.answer(({ index }) => (index === 0 ? { status: 400 } : 'Noted.'))
    const first = await world.test.send('POST', '/v1/chat/completions', { body })
    const second = await world.test.send('POST', '/v1/chat/completions', { body })
    expect([first.status, second.status]).toEqual([502, 200])
    expect((await spokenIn()).map(([role]) => role)).toEqual(['user', 'assistant'])
  })

  it('when the same is said while it is answered: it is said twice, and answered twice', async () => {
    world.answer(({ index }) => ({ text: `Answer ${index}.`, delayMs: index === 0 ? 100 : 0 }))
    await Promise.all([ask('Hello'), ask('Hello')])
    expect(await spokenIn()).toEqual([
      ['user', 'Hello'],
      ['assistant', 'Answer 0.'],
      ['user', 'Hello'],
      ['assistant', 'Answer 1.'],
    ])
  })

  it('when two different requests come on one session at once', async () => {
    world.answer(({ messages }) => ({ text: `You said ${messages[1]?.content}.`, delayMs: 50 }))
    await Promise.all([ask('one'), ask('two')])
    const spoken = await spokenIn()
    expect(new Set(spoken.map(([, content]) => content))).toEqual(
      new Set(['You said one.', 'You said two.', 'one', 'two']),
    )
  })
})

describe('a tool loop', () => {
  it('that never ends is ended', async () => {
    world.answer(({ tools, index }) =>
      tools ? { text: null, toolCalls: [search(`call-${index}`)] } : 'Enough.',
    )
    const { choices } = await ask('Search for ever.')
    expect(choices[0]?.message.content).toBe('Enough.')
  })

  it('that never ends although no tool is offered any more ends with an empty answer', async () => {
    world.answer(({ index }) => ({ text: null, toolCalls: [search(`call-${index}`)] }))
    const { choices } = await ask('Search for ever.')
    expect(choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: '' } })
    expect(world.model.requests.filter(({ kind }) => kind === 'chat').length).toBeGreaterThan(8)
  })

  it('tells the model of tools that there are not, and of arguments that are none', async () => {
    const told: string[] = []
    world.answer(({ messages, index }) => {
      if (index > 0) told.push(messages.at(-1)?.content ?? '')
      if (index === 0) return { text: null, toolCalls: [{ ...search('a'), name: 'no_such_tool' }] }
      if (index === 1)
        return { text: null, toolCalls: [{ ...search('b'), arguments: '{"query":' }] }
      return index === 2
        ? { text: null, toolCalls: [{ ...search('c'), arguments: '{"query":7}' }] }
        : 'Done.'
    })
    const { choices } = await ask('Try.')
    expect(choices[0]?.message.content).toBe('Done.')
    expect(told[0]).toContain('There is no tool "no_such_tool"')
    expect(told[1]).toContain('no JSON object')
    expect(told[2]).toContain('query')
  })
})

const sendKeyed = (key: string, change: object = {}) =>
  world.test.send('POST', '/v1/chat/completions', {
    body: { ...good(), ...change },
    headers: { 'Idempotency-Key': key, 'X-Loam-Session-Id': 'keyed' },
  })
const saidKeyed = async () =>
  (await world.stored(agent, 'keyed', 'ana')).map(({ content }) => content)

describe('the session in which a user talks when none is named', () => {
  it('is nobody else’s to make, on whatever route', async () => {
    world.answer(() => 'Hello.')
    const session = `/v1/agents/${agent}/sessions/chat%2Fbob`
    const send = (method: string, path: string, options: RequestOptions) =>
      world.test.send(method, path, options)
    const answers = [
      await send('PUT', session, { body: { userId: 'ana' } }),
      await send('POST', `${session}/messages`, {
        body: { userId: 'ana', messages: [says('Mine')] },
      }),
      await send('POST', '/v1/chat/completions', {
        body: good(),
        headers: { 'X-Loam-Session-Id': 'chat%2Fbob' },
      }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403])
    expect(answers[2]?.body.error.message).toContain('"chat/bob" is another user\'s')
    const own = await send('POST', '/v1/chat/completions', { body: { ...good(), user: 'bob' } })
    expect(own.status).toBe(200)
  })
})

describe('an idempotency key', () => {
  it.each([
    ['was answered', 'Hello.', 200],
    ['failed', { status: 400 }, 502],
  ])('of a request that %s is refused with other words', async (_what, reply, status) => {
    world.answer(() => reply)
    expect((await sendKeyed('k')).status).toBe(status)
    const before = await saidKeyed()
    for (const messages of [
      [says('Goodbye')],
      [says('Hello'), says('Ana here.')],
      [says('Ana here.'), says('Hello')],
    ]) {
      const refused = await sendKeyed('k', { messages, stream: messages.length === 2 })
      expect([refused.status, refused.body.error.code]).toEqual([409, 'conflict'])
      expect(refused.headers.get('X-Should-Retry')).toBe('false')
      expect(refused.headers.get('Retry-After')).toBeNull()
    }
    expect(await saidKeyed()).toEqual(before)
  })

  it('is told when to try again while its request is answered', async () => {
    world.answer(() => ({ text: 'Hello.', delayMs: 300 }))
    const before = world.model.count('chat')
    const first = sendKeyed('k')
    await vi.waitUntil(() => world.model.count('chat') > before)
    for (const stream of [false, true]) {
      const { status, body, headers } = await sendKeyed('k', { stream })
      expect([status, body.error.code]).toEqual([409, 'still_answering'])
      expect(headers.get('Retry-After')).toBe('1')
    }
    expect((await sendKeyed('k', { user: 'bob' })).status).toBe(404)
    expect((await first).status).toBe(200)
  })

  it('has the answer told again as it was, with its cost and why it ended', async () => {
    world.answer(() => ({ text: 'A long st', finishReason: 'length' }))
    const [first, again] = [await sendKeyed('k'), await sendKeyed('k')]
    expect(again.body.choices[0]).toEqual(first.body.choices[0])
    expect(again.body.choices[0].finish_reason).toBe('length')
    expect(again.body.usage).toEqual(first.body.usage)
  })
})

describe('an agent that is deleted', () => {
  it('while it answers is not there any more, which the answer says', async () => {
    world.answer(async () => {
      await world.test.send('DELETE', `/v1/agents/${agent}`)
      return 'Hello.'
    })
    const { status, body } = await world.test.send('POST', '/v1/chat/completions', { body: good() })
    expect([status, body.error.code]).toEqual([404, 'not_found'])
    expect(body.error.message).toContain('The agent that this belongs to does not exist')
  })
})

function good() {
  return { model: `loam:${agent}`, user: 'ana', messages: [says('Hello')] }
}

function toolResult(id: string) {
  return { role: 'tool', tool_call_id: id, content: 'Done.' }
}

function calls(...ids: readonly string[]) {
  const made = { type: 'function', function: { name: 'a', arguments: '{}' } }
  return { role: 'assistant', content: null, tool_calls: ids.map((id) => ({ id, ...made })) }
}

function withTools(...names: readonly string[]) {
  return { tools: names.map((name) => ({ type: 'function', function: { name } })) }
}

type BadInput = readonly [what: string, change: object, status: number, param: string | null]

describe('bad input is refused in the shape of OpenAI', () => {
  const cases: readonly BadInput[] = [
    ['an unknown agent', { model: 'loam:nobody' }, 404, null],
    ['a model that is no agent', { model: 'gpt-4o' }, 404, null],
    ['no user', { user: undefined }, 400, 'user'],
    ['an empty user', { user: '' }, 400, 'user'],
    ['no messages', { messages: [] }, 400, 'messages'],
    ['an unknown role', { messages: [{ role: 'wizard', content: 'x' }] }, 400, 'messages.0.role'],
    ['a message without content', { messages: [{ role: 'user' }] }, 400, 'messages.0.content'],
    [
      'a result without its call',
      { messages: [{ role: 'tool', content: 'x' }] },
      400,
      'messages.0.tool_call_id',
    ],
    [
      'a result of a call that is not there',
      { messages: [says('Hello'), toolResult('c')] },
      400,
      'messages.1.tool_call_id',
    ],
    [
      'a call whose result is not there',
      { messages: [says('Hello'), calls('c', 'd'), toolResult('c'), says('Well?')] },
      400,
      'messages.1.tool_calls',
    ],
    [
      'a call whose result comes too late',
      { messages: [calls('c'), says('Well?'), toolResult('c')] },
      400,
      'messages.0.tool_calls',
    ],
    [
      "a tool with the name of one of Loam's",
      withTools('a', 'write_file'),
      400,
      'tools.1.function.name',
    ],
    ['two tools of one name', withTools('a', 'b', 'a'), 400, 'tools.2.function.name'],
    ['nothing to answer', { messages: [{ role: 'system', content: 'x' }] }, 400, 'messages'],
    ['two answers', { n: 2 }, 400, 'n'],
    ['functions', { functions: [{ name: 'x' }] }, 400, 'functions'],
    ['half a token', { max_tokens: 0.5 }, 400, 'max_tokens'],
    ['no token', { max_completion_tokens: 0 }, 400, 'max_completion_tokens'],
    ['log probabilities', { logprobs: true }, 400, 'logprobs'],
    ...[null, 1, undefined].map((text): BadInput => [
      `a text part whose text is ${text}`,
      { messages: [{ role: 'user', content: [textPart('Hello'), { type: 'text', text }] }] },
      400,
      'messages.0.content.1.text',
    ]),
    ...[null, 'https://example.org/cat.png', {}].map((image): BadInput => [
      `a picture that is ${JSON.stringify(image)}`,
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: image }] }] },
      400,
      'messages.0.content.0.image_url',
    ]),
    ['a user of null, where the key has none', { user: null }, 400, 'user'],
    [
      'a tool without a name',
      { tools: [{ type: 'function', function: {} }] },
      400,
      'tools.0.function.name',
    ],
    ['a tool of another type', { tools: [{ type: 'custom', custom: {} }] }, 400, 'tools.0.type'],
  ]
  it.each(cases)('%s', async (_what, change, status, param) => {
    world.answer(() => 'Never asked.')
    const body = { ...good(), ...change }
    const { status: answered, body: error } = await world.test.send(
      'POST',
      '/v1/chat/completions',
      { body },
    )
    expect({ answered, error }).toMatchObject({
      answered: status,
      error: { error: { type: 'invalid_request_error', param, message: expect.any(String) } },
    })
    expect(world.model.count('chat')).toBe(world.model.requests.length)
  })

  it('no key, an unknown key, a bad session id, JSON that is none and a route that there is not', async () => {
    const { test } = world
    const path = '/v1/chat/completions'
    const answers = [
      await test.send('POST', path, { body: good(), key: null }),
      await test.send('POST', path, { body: good(), key: 'wrong' }),
      await test.send('POST', path, { body: good(), headers: { 'X-Loam-Session-Id': '%zz' } }),
      await test.send('GET', path),
      await test.send('GET', '/v1/models/nothing'),
    ]
    expect(answers.map(({ status, body }) => [status, body.error.type])).toEqual([
      [401, 'authentication_error'],
      [401, 'authentication_error'],
      [400, 'invalid_request_error'],
      [405, 'invalid_request_error'],
      [404, 'invalid_request_error'],
    ])
  })

  it('says that a session id has to be percent-encoded', async () => {
    const headers = { 'X-Loam-Session-Id': '100%' }
    const { body } = await world.test.send('POST', '/v1/chat/completions', {
      body: good(),
      headers,
    })
    expect(body.error).toMatchObject({
      param: 'X-Loam-Session-Id',
      message: expect.stringContaining('Must be percent-encoded'),
    })
  })

  it('but takes null for what may be left out', async () => {
    world.answer(() => 'Hello.')
    const key = await world.test.addKey({ userId: 'ana' })
    const { status } = await world.test.send('POST', '/v1/chat/completions', {
      key,
      body: { ...good(), user: null, messages: [{ ...says('Hello'), name: null }] },
    })
    expect(status).toBe(200)
  })

  it('a user that the key is not bound to', async () => {
    const key = await world.test.addKey({ userId: 'bob' })
    const { status, body } = await world.test.send('POST', '/v1/chat/completions', {
      key,
      body: good(),
    })
    expect([status, body.error.type]).toEqual([403, 'permission_error'])
  })

  it('takes two megabytes of messages', async () => {
    world.answer(() => 'Long.')
    const messages = Array.from({ length: 40 }, (_, index) => [
      says('word '.repeat(10_000)),
      { role: 'assistant' as const, content: `Answer ${index}` },
    ]).flat()
    const { choices } = await world.client().chat.completions.create({
      model: `loam:${agent}`,
      user: 'ana',
      messages: [...messages, says('And now?')],
    })
    expect(choices[0]?.message.content).toBe('Long.')
    expect(await spokenIn()).toHaveLength(2)
  })
})

describe('a server without a chat model', () => {
  it('says what to set, and that trying again is of no use', async () => {
    await using test = await disposable(openTestApi())
    const body = { model: `loam:${await test.addAgent()}`, user: 'ana', messages: [says('Hello')] }
    const answer = await test.send('POST', '/v1/chat/completions', { body })
    expect(answer.status).toBe(503)
    expect(answer.body.error.message).toContain('LOAM_CHAT_MODEL')
    expect(answer.headers.get('X-Should-Retry')).toBe('false')
  })
})

async function disposable(opening: Promise<TestApi>): Promise<TestApi & AsyncDisposable> {
  const test = await opening
  return { ...test, [Symbol.asyncDispose]: () => test.close() }
}
