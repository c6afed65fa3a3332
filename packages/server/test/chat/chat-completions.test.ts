import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openChatWorld, type ChatWorld, type ModelRule } from './chat-world.js'

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

/** Searches its memory for what the user asks, and answers with what it found. */
const recalling: ModelRule = ({ messages, index }) =>
  index === 0
    ? {
        text: null,
        toolCalls: [
          {
            id: 'call-1',
            name: 'memory_search',
            arguments: JSON.stringify({ query: messages.at(-1)?.content }),
          },
        ],
      }
    : `I remember: ${messages.at(-1)?.content}`

describe('an agent behind the API of OpenAI', () => {
  it('remembers in a second session what was said in the first', async () => {
    const talk = (session: string, text: string) =>
      world.client({ defaultHeaders: { 'X-Loam-Session-Id': session } }).chat.completions.create({
        model: `loam:${agent}`,
        user: 'ana',
        messages: [says(text)],
      })
    world.answer(() => 'Noted.')
    await talk('monday', 'My sister Ines moved to Porto.')
    world.answer(recalling)
    const answer = await talk('tuesday', 'Where does my sister Ines live?')
    expect(answer.choices[0]?.message.content).toContain('My sister Ines moved to Porto.')
    expect(answer.choices[0]?.finish_reason).toBe('stop')
    expect(answer.usage).toEqual({ prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 })
  })

  it('streams the same answer in pieces, and says what it cost when asked', async () => {
    world.answer(() => 'The answer in pieces.')
    const stream = await world.client().chat.completions.create({
      model: `loam:${agent}`,
      user: 'ana',
      messages: [says('Hello?')],
      stream: true,
      stream_options: { include_usage: true },
    })
    const chunks = []
    for await (const chunk of stream) chunks.push(chunk)
    const texts = chunks.map(({ choices }) => choices[0]?.delta.content ?? '')
    expect(texts.join('')).toBe('The answer in pieces.')
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop')
    expect(chunks.at(-1)?.usage?.total_tokens).toBe(15)
  })

  it('stores what was said and the answer, with the calls of its own tools as injected', async () => {
    world.answer(recalling)
    await world.client().chat.completions.create({
      model: `loam:${agent}`,
      user: 'ana',
      messages: [{ role: 'system', content: 'Be brief.' }, says('What do you know?')],
    })
    expect(await world.stored(agent, 'chat/ana', 'ana')).toEqual([
      { role: 'user', content: 'What do you know?', origin: 'conversation' },
      {
        role: 'assistant',
        content: null,
        origin: 'injected',
        toolCalls: [expect.objectContaining({ name: 'memory_search' })],
      },
      {
        role: 'tool',
        content: expect.stringContaining('Nothing is remembered'),
        origin: 'injected',
      },
      {
        role: 'assistant',
        content: expect.stringContaining('I remember'),
        origin: 'conversation',
      },
    ])
  })

  it('gives the model its prompt, the instructions of the client, and both kinds of tools', async () => {
    let prompt = ''
    let tools: readonly string[] = []
    world.answer((asked) => {
      prompt = asked.messages[0]?.content ?? ''
      tools = (asked.tools ?? []).map((tool) => tool.function.name)
      return 'Yes.'
    })
    await world.client().chat.completions.create({
      model: `loam:${agent}`,
      user: 'ana',
      messages: [{ role: 'developer', content: 'Answer in verse.' }, says('Hello')],
      tools: [{ type: 'function', function: { name: 'get_weather', description: 'The weather.' } }],
    })
    expect(prompt).toContain('Answer in verse.')
    expect(prompt).toContain('get_weather')
    expect(tools).toEqual([
      'memory_search',
      'memory_get',
      'skill_search',
      'use_skill',
      'read_file',
      'write_file',
      'get_weather',
    ])
  })

  it('hands parallel calls of the client’s tools to the client, and goes on with their results', async () => {
    const tools = [{ type: 'function' as const, function: { name: 'get_weather' } }]
    const toolCalls = ['Porto', 'Berlin'].map((city) => ({
      id: `call-${city}`,
      name: 'get_weather',
      arguments: JSON.stringify({ city }),
    }))
    world.answer(({ messages }) =>
      messages.at(-1)?.role === 'tool' ? 'Sun in both.' : { text: 'Looking.', toolCalls },
    )
    const model = `loam:${agent}`
    const client = world.client()
    const first = await client.chat.completions.create({
      model,
      user: 'ana',
      messages: [says('Weather?')],
      tools,
    })
    const asked = first.choices[0]?.message
    expect(first.choices[0]?.finish_reason).toBe('tool_calls')
    expect(asked?.tool_calls?.map(({ id }) => id)).toEqual(['call-Porto', 'call-Berlin'])
    const results = toolCalls.map(({ id }) => ({
      role: 'tool' as const,
      tool_call_id: id,
      content: 'Sun',
    }))
    const second = await client.chat.completions.create({
      model,
      user: 'ana',
      messages: [says('Weather?'), { role: 'assistant', ...asked, content: null }, ...results],
      tools,
    } as never)
    expect(second.choices[0]?.message.content).toBe('Sun in both.')
    const stored = await world.stored(agent, 'chat/ana', 'ana')
    expect(stored.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'Weather?'],
      ['assistant', 'Looking.'],
      ['tool', 'Sun'],
      ['tool', 'Sun'],
      ['assistant', 'Sun in both.'],
    ])
  })

  it('streams calls of the client’s tools whole', async () => {
    const call = { id: 'c', name: 'get_weather', arguments: '{"city":"Porto"}' }
    world.answer(() => ({ text: null, toolCalls: [call] }))
    const runner = world.client().chat.completions.stream({
      model: `loam:${agent}`,
      user: 'ana',
      messages: [says('Weather?')],
      tools: [{ type: 'function', function: { name: 'get_weather', parameters: {} } }],
    })
    const { choices } = await runner.finalChatCompletion()
    expect(choices[0]?.message.tool_calls?.[0]).toMatchObject({
      id: 'c',
      function: { name: 'get_weather', arguments: '{"city":"Porto"}' },
    })
  })

  it('offers none of the client’s tools when the client chooses "none"', async () => {
    let names: readonly string[] = []
    world.answer(({ tools }) => {
      names = (tools ?? []).map((tool) => tool.function.name)
      return 'Yes.'
    })
    await world.client().chat.completions.create({
      model: `loam:${agent}`,
      user: 'ana',
      messages: [says('Hello')],
      tools: [{ type: 'function', function: { name: 'get_weather' } }],
      tool_choice: 'none',
    })
    expect(names).toContain('memory_search')
    expect(names).not.toContain('get_weather')
  })

  it('shows a model that searches nothing of what the conversation shows already', async () => {
    world.answer(recalling)
    const answer = await world.client().chat.completions.create({
      model: `loam:${agent}`,
      user: 'ana',
      messages: [says('Zebras?')],
    })
    expect(answer.choices[0]?.message.content).toContain('Nothing is remembered')
  })

  it('tells nothing of one user to another', async () => {
    const talk = (user: string, text: string) =>
      world.client().chat.completions.create({
        model: `loam:${agent}`,
        user,
        messages: [says(text)],
      })
    world.answer(() => 'Noted.')
    await talk('ana', 'The code of my door is 4711.')
    world.answer(recalling)
    const answer = await talk('bob', 'What is the code of the door?')
    expect(answer.choices[0]?.message.content).not.toContain('4711')
  })

  it('passes what else a client sets to the model', async () => {
    let temperature: unknown
    world.answer((asked) => {
      temperature = (asked as unknown as Record<string, unknown>)['temperature']
      return 'Yes.'
    })
    await world.client().chat.completions.create({
      model: `loam:${agent}`,
      user: 'ana',
      messages: [says('Hello')],
      temperature: 0.2,
    })
    expect(temperature).toBe(0.2)
  })

  it('takes pictures to the model, and stores that there was one', async () => {
    let content: unknown
    world.answer(({ messages }) => {
      content = messages.at(-1)?.content
      return 'A cat.'
    })
    const picture = {
      type: 'image_url' as const,
      image_url: { url: `data:image/png;base64,${'A'.repeat(1000)}` },
    }
    const parts = [{ type: 'text' as const, text: 'What is this?' }, picture]
    await world.client().chat.completions.create({
      model: `loam:${agent}`,
      user: 'ana',
      messages: [{ role: 'user', content: parts }],
    })
    expect(content).toEqual(parts)
    const [said] = await world.stored(agent, 'chat/ana', 'ana')
    expect(said?.content).toEqual([{ type: 'text', text: 'What is this?' }, { type: 'image' }])
  })

  it('does a slash command of the user, and stores what was typed', async () => {
    let told = ''
    world.answer(({ messages }) => {
      told = messages.at(-1)?.content ?? ''
      return 'There are none.'
    })
    await world.client().chat.completions.create({
      model: `loam:${agent}`,
      user: 'ana',
      messages: [says('/list-skills')],
    })
    expect(told).not.toBe('/list-skills')
    const [said] = await world.stored(agent, 'chat/ana', 'ana')
    expect(said?.content).toBe('/list-skills')
  })
})

describe('the models of the API', () => {
  it('are the agents', async () => {
    const ids = []
    for await (const { id } of world.client().models.list()) ids.push(id)
    expect(ids).toContain(`loam:${agent}`)
    expect(await world.client().models.retrieve(`loam:${agent}`)).toMatchObject({
      id: `loam:${agent}`,
      object: 'model',
      owned_by: 'loam',
    })
  })
})
