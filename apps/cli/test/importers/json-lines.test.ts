import { describe, expect, it } from 'vitest'
import { readAll, withFile } from './read-file.js'

async function read(content: string, userId = 'u') {
  return await withFile(content, async (path) => await readAll(path, { userId }), 'notes.jsonl')
}

const hello = { role: 'user', content: 'hello' }

describe('readJsonLines', () => {
  it('reads messages in the shape of the API', async () => {
    const message = {
      id: 'm-1',
      role: 'assistant',
      content: [
        { type: 'text', text: 'Here.' },
        { type: 'file', url: 'https://example.org/a.pdf', caption: 'the plan' },
      ],
      name: 'Ada',
      toolCalls: [{ id: 'c', name: 'f', arguments: '{}' }],
      origin: 'conversation',
      createdAt: '2026-03-01T10:00:00.000Z',
      metadata: { a: 1 },
    }
    const { format, messages } = await read(`${JSON.stringify(message)}\n`)
    expect(format).toBe('jsonl')
    expect(messages).toEqual([
      {
        type: 'message',
        place: 'line 1',
        session: { key: 'import:notes', userId: 'u' },
        message,
      },
    ])
  })

  it('takes session and user from a line, and ends each session after the last line', async () => {
    const lines = [
      { ...hello, session: 's1', userId: 'ana' },
      { ...hello, session: 's2' },
      { ...hello, session: 's1', userId: 'ana' },
    ]
    const { messages, ended } = await read(lines.map((line) => JSON.stringify(line)).join('\n'))
    expect(messages.map(({ session }) => [session.key, session.userId])).toEqual([
      ['s1', 'ana'],
      ['s2', 'u'],
      ['s1', 'ana'],
    ])
    expect(ended).toEqual(['s1', 's2'])
  })

  it('reads messages of OpenAI, also whole conversations', async () => {
    const lines = [
      { role: 'assistant', content: null, tool_calls: [{ id: 'c', function: { name: 'f' } }] },
      { messages: [hello, { role: 'assistant', content: 'hi' }] },
    ]
    const { messages } = await read(lines.map((line) => JSON.stringify(line)).join('\n'))
    expect(messages.map(({ place, session }) => [place, session.key])).toEqual([
      ['line 1', 'import:notes'],
      ['line 2, message 1', 'import:notes:2'],
      ['line 2, message 2', 'import:notes:2'],
    ])
  })

  it('reads CRLF, a byte order mark, blank lines, and U+2028 inside a text', async () => {
    const line = JSON.stringify({ role: 'user', content: 'a\u2028b' })
    const { messages, bad } = await read(`\uFEFF${line}\r\n\r\n  \r\n${JSON.stringify(hello)}\r\n`)
    expect(bad).toEqual([])
    expect(messages.map(({ place, message }) => [place, message.content])).toEqual([
      ['line 1', 'a\u2028b'],
      ['line 4', 'hello'],
    ])
  })

  it.each([
    ['text that is no JSON', '{"role":', 'is not valid JSON'],
    ['a line that is an array', '[1]', 'holds an array'],
    ['an unknown field, by its name', '{"role":"user","content":"x","mood":"good"}', 'mood'],
    ['a missing role', '{"content":"x"}', 'role'],
    ['content of a wrong type', '{"role":"user","content":5}', 'content: must be text'],
    ['a time that is none', '{"role":"user","content":"x","createdAt":"soon"}', '"soon"'],
    ['a session that is no text', '{"role":"user","content":"x","session":7}', 'session'],
    ['an empty user', '{"role":"user","content":"x","userId":""}', 'userId'],
    ['metadata that is no object', '{"role":"user","content":"x","metadata":[]}', 'metadata'],
    ['a session that a URL resolves', '{"role":"user","content":"x","session":".."}', '".."'],
    ['NUL in a session', '{"role":"user","content":"x","session":"a\\u0000"}', 'NUL'],
    ['half a character', '{"role":"user","content":"x","session":"a\\ud800"}', 'session may not'],
    ['NUL in a user', '{"role":"user","content":"x","userId":"a\\u0000"}', 'userId may not'],
    [
      'a session that is too long',
      JSON.stringify({ ...hello, session: 's'.repeat(501) }),
      'session must be a text of 1 to 500',
    ],
    [
      'a user that is too long',
      JSON.stringify({ ...hello, userId: 'u'.repeat(256) }),
      'userId must be a text of 1 to 255',
    ],
  ])('reports %s', async (_what, line, problem) => {
    const { bad, messages } = await read(`${JSON.stringify(hello)}\n${line}\n`)
    expect(messages).toHaveLength(1)
    expect(bad).toEqual([
      { type: 'bad', place: 'line 2', problem: expect.stringContaining(problem) as string },
    ])
  })

  it('cuts lines at the right places wherever the file is cut into pieces', async () => {
    const text = 'æøå 日本 🍎 '.repeat(9000)
    const lines = Array.from({ length: 8 }, (_, n) => ({ role: 'user', content: `${n} ${text}` }))
    const { messages } = await read(lines.map((line) => JSON.stringify(line)).join('\n'))
    expect(messages.map(({ message }) => message.content)).toEqual(
      lines.map(({ content }) => content),
    )
  })
})
