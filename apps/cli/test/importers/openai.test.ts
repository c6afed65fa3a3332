import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { fixture, readAll, withFile } from './read-file.js'

const ARRAY = fixture('openai-messages.json')

async function idsOf(path: string) {
  const { messages } = await readAll(path)
  return messages.map(({ message }) => message.id)
}

describe('readOpenAiArray', () => {
  it('reads an array as one session named after the file', async () => {
    const { format, messages, bad, ended } = await readAll(ARRAY, { userId: 'u' })
    expect(format).toBe('openai')
    expect(bad).toEqual([])
    expect(messages.map(({ message }) => message.role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
      'user',
    ])
    expect(ended).toEqual(['import:openai-messages'])
  })

  it('keeps pictures by reference only, tool calls, and what it has no field for', async () => {
    const { messages } = await readAll(ARRAY)
    const [developer, question, call, result, answer] = messages.map(({ message }) => message)
    expect(developer).toMatchObject({ origin: 'system' })
    expect(question?.content).toEqual([
      { type: 'text', text: 'What is in this jar?' },
      { type: 'image', url: 'https://example.org/jar.jpg' },
      { type: 'image' },
    ])
    expect(call).toMatchObject({
      content: null,
      toolCalls: [{ id: 'call_1', name: 'look', arguments: '{"jar":1}' }],
    })
    expect(result).toMatchObject({ toolCallId: 'call_1' })
    expect(answer?.metadata).toEqual({ annotations: [] })
  })

  it('gives the same ids each time, and different ones to equal messages', async () => {
    const first = await idsOf(ARRAY)
    expect(await idsOf(ARRAY)).toEqual(first)
    expect(new Set(first).size).toBe(7)
  })

  it('leaves the ids as they are when messages are added at the end', async () => {
    const source = JSON.parse(await readFile(ARRAY, 'utf8')) as unknown[]
    const grown = JSON.stringify([...source, { role: 'user', content: 'Thanks!' }])
    const before = await idsOf(ARRAY)
    const after = await withFile(grown, idsOf, 'openai-messages.json')
    expect(after.slice(0, 7)).toEqual(before)
    expect(new Set(after).size).toBe(8)
  })

  it('reads { "messages": [...] } and an array of such', async () => {
    const messages = [{ role: 'user', content: 'hi' }]
    const one = await withFile(JSON.stringify({ model: 'm', messages }, null, 2), async (path) => {
      return await readAll(path, { session: 's' })
    })
    expect(one.messages.map(({ session }) => session.key)).toEqual(['s'])
    const two = await withFile(JSON.stringify([{ messages }, { messages }]), async (path) => {
      return await readAll(path, { session: 's' })
    })
    expect(two.messages.map(({ session }) => session.key)).toEqual(['s:1', 's:2'])
    expect(two.ended).toEqual(['s:1', 's:2'])
  })

  it.each([
    ['a role that is not known', { role: 'robot', content: 'x' }, 'role is "robot"'],
    ['a message without a role', { content: 'x' }, 'role is missing'],
    ['content that is a number', { role: 'user', content: 3 }, 'content is a number'],
    ['a part that is not known', { role: 'user', content: [{ type: 'smell' }] }, '"smell"'],
    ['a call of nothing', { role: 'assistant', tool_calls: [{}] }, 'tool_calls.0'],
    ['something that is no message', 'hello', 'is a string'],
  ])('reports %s with its place', async (_what, value, problem) => {
    const content = JSON.stringify([{ role: 'user', content: 'first' }, value])
    const { bad, messages } = await withFile(content, async (path) => await readAll(path))
    expect(messages).toHaveLength(1)
    expect(bad).toEqual([
      { type: 'bad', place: 'message 2', problem: expect.stringContaining(problem) as string },
    ])
  })
})
