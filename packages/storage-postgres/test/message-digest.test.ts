import type { NewMessage } from '@loam/storage'
import { describe, expect, it } from 'vitest'
import { messageDigest } from '../src/stores/message-digest.js'

const message: NewMessage = {
  id: 'a',
  role: 'user',
  content: 'text',
  origin: 'conversation',
  createdAt: new Date(0),
}

const digestOf = (list: readonly number[]) => messageDigest({ ...message, metadata: { list } })

describe('messageDigest', () => {
  it('does not depend on the id, the time, or the order of keys', () => {
    const one = { ...message, metadata: { a: 1, b: [{ c: 2, d: 3 }] } }
    const other = {
      ...message,
      metadata: { b: [{ d: 3, c: 2 }], a: 1 },
      id: 'b',
      createdAt: new Date(1),
    }
    expect(messageDigest(one)).toBe(messageDigest(other))
  })

  it('takes what is undefined for absent', () => {
    expect(messageDigest({ ...message, name: undefined })).toBe(messageDigest(message))
  })

  it.each<Partial<NewMessage>>([
    { content: 'other' },
    { content: null },
    { content: [{ type: 'text', text: 'text' }] },
    { role: 'assistant' },
    { name: 'Ada' },
    { senderId: 'Ada' },
    { toolCallId: 'c' },
    { toolCalls: [{ id: 'c', name: 'n', arguments: '{}' }] },
    { origin: 'injected' },
    { metadata: { list: [1, 2] } },
  ])('differs for %j', (change) => {
    expect(messageDigest({ ...message, ...change })).not.toBe(messageDigest(message))
  })

  it('keeps the order of lists', () => {
    expect(digestOf([1, 2])).not.toBe(digestOf([2, 1]))
  })
})
