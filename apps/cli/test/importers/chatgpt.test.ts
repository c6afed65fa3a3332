import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { fixture, readAll, withFile } from './read-file.js'

const EXPORT = fixture('chatgpt-conversations.json')
const APPLES = 'chatgpt:6683a1b2-0001-8000-a000-1d6b2f3c4e5f'
const DAYS = 'chatgpt:6683a1b2-0002-8000-a000-1d6b2f3c4e5f'

async function messagesOf(session: string) {
  const { messages } = await readAll(EXPORT, { userId: 'tove' })
  return messages.filter((record) => record.session.key === session).map(({ message }) => message)
}

function said(id: string) {
  return { id, author: { role: 'user' }, content: id }
}

describe('readChatgpt', () => {
  it('makes a session of each conversation, with its title', async () => {
    const { format, messages, bad, ended } = await readAll(EXPORT, { userId: 'tove' })
    expect(format).toBe('chatgpt')
    expect(bad).toEqual([])
    expect(messages[0]?.session).toEqual({
      key: APPLES,
      userId: 'tove',
      title: 'Apples in the cellar',
    })
    expect(ended).toEqual([APPLES, DAYS, 'chatgpt:6683a1b2-0003-8000-a000-1d6b2f3c4e5f'])
  })

  it('follows the branch that is shown, from the root to the current node', async () => {
    const ids = (await messagesOf(APPLES)).map(({ id }) => id)
    expect(ids).toEqual(['ctx', 'u1', 'a1', 'u2', 'think', 'call', 'tool', 'recap', 'a2'])
    expect((await messagesOf(DAYS)).map(({ id }) => id)).not.toContain('late')
  })

  it('takes the newest branch when no node is marked as current', async () => {
    const [, days] = JSON.parse(await readFile(EXPORT, 'utf8')) as Record<string, unknown>[]
    const content = JSON.stringify([{ ...days, current_node: null }])
    const { messages } = await withFile(content, async (path) => await readAll(path))
    expect(messages.map(({ message }) => message.id)).toEqual(['q', 'late'])
  })

  it('reads text without the marks of citations', async () => {
    const [, , answer] = await messagesOf(APPLES)
    expect(answer).toMatchObject({
      role: 'assistant',
      content: 'A Boskoop keeps best , wrapped in paper.',
      createdAt: '2024-07-01T08:07:23.567Z',
      metadata: { contentType: 'text', model: 'gpt-4o' },
    })
  })

  it('keeps pictures as references, and what a generated one shows as its caption', async () => {
    const messages = await messagesOf(APPLES)
    expect(messages.find(({ id }) => id === 'u2')?.content).toEqual([
      { type: 'image', url: 'file-service://file-abc123' },
      { type: 'text', text: 'Is this canker? 🍎 \u202Eabc' },
    ])
    expect(messages.find(({ id }) => id === 'tool')?.content).toEqual([
      {
        type: 'image',
        url: 'sediment://file_000',
        caption: 'An apple tree whose bark shows sunken rings',
      },
    ])
  })

  it.each(['ctx', 'think', 'recap'])('marks %s, which was never said, as system', async (id) => {
    const message = (await messagesOf(APPLES)).find((candidate) => candidate.id === id)
    expect(message?.origin).toBe('system')
  })

  it('turns what is sent to a tool into a call, and links the answer to it', async () => {
    const messages = await messagesOf(DAYS)
    expect(messages.find(({ id }) => id === 'py')).toMatchObject({
      role: 'assistant',
      content: null,
      toolCalls: [{ id: 'py', name: 'python', arguments: '(date(2025,3,1)-date(2024,7,1)).days' }],
    })
    expect(messages.find(({ id }) => id === 'out')).toMatchObject({
      role: 'tool',
      content: '243',
      name: 'python',
      toolCallId: 'py',
    })
  })

  it('reads quoted pages with their title', async () => {
    const quote = (await messagesOf(DAYS)).find(({ id }) => id === 'browse')
    expect(quote?.content).toBe('Seasons\nMeteorological spring begins on 1 March.')
  })

  it('keeps content of an unknown kind as it stands, and marks it as not said', async () => {
    const widget = (await messagesOf(DAYS)).find(({ id }) => id === 'new')
    expect(widget).toMatchObject({
      content: '{"content_type":"brand_new_widget","payload":{"days":243}}',
      origin: 'system',
    })
  })

  it('gives a message without a time that of the message before', async () => {
    const messages = await messagesOf(APPLES)
    const time = (id: string) => messages.find((message) => message.id === id)?.createdAt
    expect(time('u2')).toBe(time('a1'))
    expect(time('ctx')).toBe('2024-07-01T08:07:04.567Z')
  })

  it.each([
    ['a conversation without messages', [{ mapping: {} }, { title: 'x' }], 'conversation 2'],
    [
      'an unknown author',
      [{ title: 'T', mapping: { n: { message: { author: { role: 'robot' } } } } }],
      'conversation 1 "T", message n',
    ],
  ])('reports %s with its place', async (_what, content, place) => {
    const { bad } = await withFile(JSON.stringify(content), async (path) => await readAll(path))
    expect(bad).toEqual([expect.objectContaining({ place })])
  })

  it('reports a tree that runs in a circle, and reads on after it', async () => {
    const mapping = {
      a: { message: said('a'), parent: 'b' },
      b: { message: said('b'), parent: 'a' },
    }
    const next = { mapping: { c: { message: said('c') } } }
    const content = JSON.stringify([{ mapping, current_node: 'a' }, next])
    const { messages, bad } = await withFile(content, async (path) => await readAll(path))
    expect(messages.map((record) => record.message.id)).toEqual(['c'])
    expect(bad).toEqual([
      expect.objectContaining({
        place: 'conversation 1',
        problem: expect.stringContaining('circle') as string,
      }),
    ])
  })

  it('reports messages of a conversation whose id is too long, rather than cutting it', async () => {
    const content = JSON.stringify([
      { id: 'x'.repeat(600), mapping: { n: { message: said('n') } } },
    ])
    const { bad } = await withFile(content, async (path) => await readAll(path))
    expect(bad.map(({ place }) => place)).toEqual(['conversation 1, message n'])
  })
})
