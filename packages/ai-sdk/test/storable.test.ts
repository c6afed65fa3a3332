import { describe, expect, it } from 'vitest'
import type { MessageInput } from '../src/message-input.js'
import { toStorable } from '../src/storable.js'

const MILLION = 1_000_000
const answer = (fields: Partial<MessageInput>): MessageInput => ({
  id: 'a',
  role: 'assistant',
  content: '',
  ...fields,
})
const call = (fields: Partial<NonNullable<MessageInput['toolCalls']>[number]>) => ({
  id: 'c',
  name: 'note',
  arguments: '{}',
  ...fields,
})

describe('a message to be stored', () => {
  it('is left as it is when it can be stored so', () => {
    const message = answer({ content: 'Let me look.', toolCalls: [call({})] })
    expect(toStorable(message)).toStrictEqual([message])
  })

  it.each([
    ['a text', { content: '\uFEFF\uFEFFa\0b\uD800' }, { content: 'ab\uFFFD' }],
    [
      'a part',
      { content: [{ type: 'text', text: '\0a' }] },
      { content: [{ type: 'text', text: 'a' }] },
    ],
    [
      'the name of a file',
      { content: [{ type: 'file', name: 'n'.repeat(2_000), mediaType: 'm'.repeat(300) }] },
      { content: [{ type: 'file', name: 'n'.repeat(1_000), mediaType: 'm'.repeat(255) }] },
    ],
    [
      'a call',
      { toolCalls: [call({ id: 'i\0'.repeat(400), name: 'n'.repeat(5_000) })] },
      { toolCalls: [call({ id: 'i'.repeat(250), name: 'n'.repeat(500) })] },
    ],
    ['the id of a call', { toolCallId: 'i'.repeat(600) }, { toolCallId: 'i'.repeat(500) }],
    [
      'arguments that are longer than any message',
      { toolCalls: [call({ arguments: 'x'.repeat(MILLION + 1) })] },
      { toolCalls: [call({ arguments: 'x'.repeat(MILLION) })] },
    ],
  ] as const)('is rid of what cannot be stored in %s', (_, given, stored) => {
    expect(toStorable(answer(given as never))).toStrictEqual([answer(stored as never)])
  })

  it('answers no call where nothing is left of its id', () => {
    expect(toStorable(answer({ toolCallId: '\0' }))).toStrictEqual([answer({})])
  })

  it('becomes several when it is too long, of which none begins with half a pair', () => {
    const content = `${'x'.repeat(MILLION - 1)}😀${'y'.repeat(MILLION)}`
    const messages = toStorable(answer({ content, toolCalls: [call({})] }))
    expect(messages.map(({ id }) => id)).toStrictEqual(['a', 'a/1', 'a/2', 'a/3'])
    expect(
      messages.map(({ content: piece }) => (typeof piece === 'string' ? piece : '')).join(''),
    ).toBe(content)
    expect(messages[1]?.content?.slice(0, 2)).toBe('😀')
    expect(messages.at(-1)).toMatchObject({ content: null, toolCalls: [{ id: 'c' }] })
  })

  it.each([
    ['calls', answer({ toolCalls: Array.from({ length: 1_001 }, () => call({})) }), 1_001],
    [
      'calls that are too long together',
      answer({ toolCalls: [1, 2].map(() => call({ arguments: 'x'.repeat(900_000) })) }),
      2,
    ],
    [
      'parts',
      answer({ content: Array.from({ length: 1_001 }, () => ({ type: 'image' as const })) }),
      1_001,
    ],
    [
      'parts that are too long together',
      answer({
        content: [1, 2].map(() => ({ type: 'text' as const, text: 'x'.repeat(900_000) })),
      }),
      2,
    ],
  ])('becomes several when it has too many %s', (_, message, count) => {
    const messages = toStorable(message)
    expect(messages).toHaveLength(count)
    expect(new Set(messages.map(({ id }) => id)).size).toBe(count)
  })
})
