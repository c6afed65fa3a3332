import { ConflictError, InvalidInputError, NotFoundError } from '@loam/core'
import { describe, expect, it } from 'vitest'
import { createMemory } from '../src/create-memory.js'
import type { MessageInput } from '../src/memory.js'
import { createConceptEmbeddings, useStorage } from './memory-fixture.js'

const { storage, newScope, newMemory } = useStorage()

const say = (content: string, more: Partial<MessageInput> = {}): MessageInput => ({
  role: 'user',
  content,
  ...more,
})

const paragraph = (word: string) => `${word} ${'filler sentence. '.repeat(50)}`

describe('storeMessages', () => {
  it('stores a batch, makes the session, and makes the messages findable', async () => {
    const { memory } = newMemory()
    const scope = await newScope()
    const stored = await memory.storeMessages(scope, { key: 'chats/1' }, [
      say('I adopted a dog named Biscuit.', { id: 'm1', name: 'Caroline' }),
      say('Lovely!', { id: 'm2', role: 'assistant' }),
    ])
    expect(stored).toMatchObject({
      sessionCreated: true,
      indexState: 'complete',
      session: { key: 'chats/1', kind: 'direct', lastSequence: 2 },
      items: [
        { id: 'm1', sequence: 1, duplicate: false },
        { id: 'm2', sequence: 2, duplicate: false },
      ],
    })
    const { results } = await memory.search(scope, { query: 'What is the dog called?' })
    expect(results[0]).toMatchObject({
      source: 'messages',
      session: 'chats/1',
      sequence: 1,
      messageId: 'm1',
      text: 'Caroline: I adopted a dog named Biscuit.',
      createdAt: new Date('2026-11-30T12:00:00Z'),
    })
  })

  it('stores a batch that comes again once', async () => {
    const { memory } = newMemory()
    const scope = await newScope()
    const batch = [say('Biscuit is a dog', { id: 'm1' }), say('He barks', { id: 'm2' })]
    await memory.storeMessages(scope, { key: 's' }, batch)
    const again = await memory.storeMessages(scope, { key: 's' }, [
      ...batch,
      say('New', { id: 'm3' }),
    ])
    expect(again.sessionCreated).toBe(false)
    expect(again.session.lastSequence).toBe(3)
    expect(again.items.map(({ duplicate }) => duplicate)).toEqual([true, true, false])
    const { results } = await memory.search(scope, { query: 'Biscuit' })
    expect(results.filter(({ text }) => text.includes('Biscuit'))).toHaveLength(1)
  })

  it('does not pay for a batch that comes again', async () => {
    const embeddings = createConceptEmbeddings({ remote: true })
    const memory = createMemory({ storage: storage(), embeddings })
    const scope = await newScope()
    const batch = [say('a dog', { id: 'm1' }), say('a car', { id: 'm2' })]
    await memory.storeMessages(scope, { key: 's' }, batch)
    await memory.storeMessages(scope, { key: 's' }, batch)
    expect(embeddings.calls.flatMap(({ texts }) => texts)).toEqual(['a dog', 'a car'])
  })

  it('refuses an id that is taken by another text, and stores none of the batch', async () => {
    const { memory } = newMemory()
    const scope = await newScope()
    await memory.storeMessages(scope, { key: 's' }, [say('first', { id: 'm1' })])
    const batch = [say('unheard', { id: 'm2' }), say('other', { id: 'm1' })]
    await expect(memory.storeMessages(scope, { key: 's' }, batch)).rejects.toThrow(ConflictError)
    expect(await memory.search(scope, { query: 'unheard' })).toMatchObject({ count: 0 })
  })

  it("does not find another user's session", async () => {
    const { memory } = newMemory()
    const scope = await newScope('alice')
    await memory.storeMessages(scope, { key: 's' }, [say('mine')])
    const bob = { ...scope, userId: 'bob' }
    await expect(memory.storeMessages(bob, { key: 's' }, [say('his')])).rejects.toThrow(
      NotFoundError,
    )
  })

  it.each<[string, MessageInput]>([
    ['injected text', say('secret kettle', { origin: 'injected' })],
    ['system text', say('secret kettle', { origin: 'system' })],
    ['a system message', say('secret kettle', { role: 'system' })],
    [
      'a tool call',
      {
        role: 'assistant',
        content: null,
        toolCalls: [{ id: 'c', name: 'kettle', arguments: '{}' }],
      },
    ],
  ])('stores %s, and never finds it', async (_, message) => {
    const { memory } = newMemory()
    const scope = await newScope()
    const stored = await memory.storeMessages(scope, { key: 's' }, [message])
    expect(stored.items).toMatchObject([{ sequence: 1 }])
    expect(await memory.search(scope, { query: 'secret kettle' })).toMatchObject({ count: 0 })
  })

  it('finds what a picture shows and how a file is called', async () => {
    const { memory } = newMemory()
    const scope = await newScope()
    await memory.storeMessages(scope, { key: 's' }, [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look!' },
          { type: 'image', url: 'https://example.org/1.png', caption: 'a sunset over the harbour' },
          { type: 'file', name: 'invoice.pdf', caption: 'roof repair' },
        ],
      },
    ])
    for (const query of ['harbour sunset', 'invoice', 'roof']) {
      const { results } = await memory.search(scope, { query })
      expect(results.map(({ text }) => text)).toEqual([
        'user: Look!\n[image: a sunset over the harbour]\n[file: invoice.pdf: roof repair]',
      ])
    }
  })

  it('finds the beginning of what a tool answered', async () => {
    const { memory } = newMemory()
    const scope = await newScope()
    const content = `opening ${'x '.repeat(1500)} ending`
    await memory.storeMessages(scope, { key: 's' }, [
      say(content, { role: 'tool', toolCallId: 'c' }),
    ])
    expect(await memory.search(scope, { query: 'opening' })).toMatchObject({ count: 1 })
    expect(await memory.search(scope, { query: 'ending' })).toMatchObject({ count: 0 })
  })

  it('answers with the part of a long message that fits, once', async () => {
    const { memory } = newMemory()
    const scope = await newScope()
    const content = ['alpha', 'bravo', 'charlie', 'delta'].map(paragraph).join('\n\n')
    await memory.storeMessages(scope, { key: 's' }, [say(content, { id: 'm1', name: 'Ann' })])
    const { results } = await memory.search(scope, { query: 'charlie filler' })
    expect(results).toHaveLength(1)
    expect(results[0]).toMatchObject({ messageId: 'm1', sequence: 1 })
    expect(results[0]?.text).toMatch(/^Ann: charlie/)
  })

  it('finds a message by the day on which it was said, in the zone of the session', async () => {
    const { memory } = newMemory()
    const scope = await newScope()
    await memory.storeMessages(scope, { key: 's', timezone: 'Asia/Tokyo' }, [
      say('We met.', { createdAt: new Date('2023-05-07T20:00:00Z') }),
      say('We parted.', { createdAt: new Date('2024-01-02T20:00:00Z') }),
    ])
    const { results } = await memory.search(scope, { query: '8 May 2023', explain: true })
    expect(results[0]).toMatchObject({ text: 'user: We met.', sequence: 1 })
    expect(results[0]?.explanation?.matchedTerms).toContain('8')
  })

  it('keeps words when the embedding model fails', async () => {
    const { memory, embeddings } = newMemory()
    const scope = await newScope()
    embeddings.failing = true
    const stored = await memory.storeMessages(scope, { key: 's' }, [say('a puppy')])
    expect(stored.indexState).toBe('lexical')
    expect(await memory.search(scope, { query: 'puppy' })).toMatchObject({ count: 1 })
  })

  it('takes messages of several writers at once, in one order without a gap', async () => {
    const { memory } = newMemory()
    const scope = await newScope()
    const writers = Array.from({ length: 5 }, (_, writer) =>
      memory.storeMessages(scope, { key: 's' }, [say(`one ${writer}`), say(`two ${writer}`)]),
    )
    const stored = await Promise.all(writers)
    const sequences = stored.flatMap(({ items }) => items.map(({ sequence }) => sequence))
    expect(sequences.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(stored.filter(({ sessionCreated }) => sessionCreated)).toHaveLength(1)
  })

  it('cleans text, and takes any punctuation as a session key', async () => {
    const { memory } = newMemory()
    const scope = await newScope()
    const key = `'; drop table messages; -- ${'%_\\"/?#'.repeat(60)}`.slice(0, 500)
    const stored = await memory.storeMessages(scope, { key }, [say('kettle\0 \ud83d')])
    expect(stored.session.key).toBe(key)
    const { results } = await memory.search(scope, { query: 'kettle' })
    expect(results).toMatchObject([{ text: 'user: kettle \ufffd', session: key }])
  })

  it('takes an empty batch, which only makes the session', async () => {
    const { memory } = newMemory()
    const stored = await memory.storeMessages(await newScope(), { key: 's' }, [])
    expect(stored).toMatchObject({ sessionCreated: true, items: [], indexState: 'complete' })
  })

  it('indexes any script and one endless word', async () => {
    const { memory } = newMemory()
    const scope = await newScope()
    const words = ['x', 'я', '日', '\u{10428}', '👍', 'ا', 'ไ'].map((character) =>
      character.repeat(3000),
    )
    const stored = await memory.storeMessages(
      scope,
      { key: 's' },
      words.map((word) => say(word)),
    )
    expect(stored.items).toHaveLength(words.length)
  })

  it.each<[string, unknown, RegExp]>([
    ['an unknown role', { role: 'robot', content: 'x' }, /role/],
    ['a wrong content', { role: 'user', content: 5 }, /content/],
    ['an unknown part', { role: 'user', content: [{ type: 'video' }] }, /content/],
    ['an empty id', { role: 'user', content: 'x', id: '' }, /id/],
    ['a long id', { role: 'user', content: 'x', id: 'i'.repeat(501) }, /id/],
    ['an id with NUL', { role: 'user', content: 'x', id: 'a\0' }, /id/],
    ['a broken date', { role: 'user', content: 'x', createdAt: new Date('no') }, /createdAt/],
    ['an absurd date', { role: 'user', content: 'x', createdAt: new Date(-1e15) }, /createdAt/],
    ['a long name', { role: 'user', content: 'x', name: 'n'.repeat(201) }, /name/],
    ['metadata that is a list', { role: 'user', content: 'x', metadata: [] }, /metadata/],
    ['an unknown origin', { role: 'user', content: 'x', origin: 'moon' }, /origin/],
    ['no message', null, /object/],
    [
      'a huge text',
      { role: 'user', content: 'x'.repeat(10_000_000) },
      /10000000 characters; at most 1048576/,
    ],
  ])('refuses %s', async (_, message, fault) => {
    const { memory } = newMemory()
    const scope = await newScope()
    const stored = memory.storeMessages(scope, { key: 's' }, [message as MessageInput])
    await expect(stored).rejects.toThrow(InvalidInputError)
    await expect(stored).rejects.toThrow(fault)
  })

  it.each([[''], ['.'], ['..'], ['k'.repeat(501)], ['a\0'], ['\udc00']])(
    'refuses the session key %j',
    async (key) => {
      const { memory } = newMemory()
      const stored = memory.storeMessages(await newScope(), { key }, [say('x')])
      await expect(stored).rejects.toThrow(InvalidInputError)
    },
  )

  it('refuses a session in no time zone and a batch that is too long', async () => {
    const { memory } = newMemory({ limits: { maxBatchSize: 2 } })
    const scope = await newScope()
    const nowhere = { key: 's', timezone: 'Mars/Base' }
    await expect(memory.storeMessages(scope, nowhere, [say('x')])).rejects.toThrow(/Mars/)
    const batch = [say('x'), say('y'), say('z')]
    await expect(memory.storeMessages(scope, { key: 's' }, batch)).rejects.toThrow(/3 messages/)
  })

  it('names every fault of a batch', async () => {
    const { memory } = newMemory()
    const batch = [
      say('x', { id: '' }),
      say('y'),
      { role: 'robot', content: 1 } as unknown as MessageInput,
    ]
    const stored = memory.storeMessages(await newScope(), { key: 's' }, batch)
    await expect(stored).rejects.toMatchObject({
      issues: [
        { path: 'messages.0.id' },
        { path: 'messages.2.role' },
        { path: 'messages.2.content' },
      ],
    })
  })
})
