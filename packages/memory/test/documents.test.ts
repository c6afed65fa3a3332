import { InvalidInputError, NotFoundError } from '@loam/core'
import { describe, expect, it } from 'vitest'
import { createMemory } from '../src/create-memory.js'
import { EMBEDDING_CONSUMER } from '../src/indexing/prepared-index.js'
import { createConceptEmbeddings, useStorage } from './memory-fixture.js'

const { storage, newScope, newMemory } = useStorage()

describe('putDocument', () => {
  it('makes a document findable before it resolves', async () => {
    const { memory } = newMemory()
    const scope = await newScope()
    const put = await memory.putDocument(scope, {
      path: './memory.md',
      content: '\uFEFFAlice drinks green tea.\r\n',
      metadata: { origin: 'chat' },
    })
    expect(put).toMatchObject({ created: true, indexing: 'complete' })
    expect(put.document).toMatchObject({ path: 'MEMORY.md', metadata: { origin: 'chat' } })
    const { results } = await memory.search(scope, { query: 'Who drinks tea?' })
    expect(results).toMatchObject([
      {
        source: 'documents',
        path: 'MEMORY.md',
        text: 'Alice drinks green tea.',
        startLine: 1,
        endLine: 1,
        scope: 'personal',
        score: 1,
      },
    ])
  })

  it('keeps MEMORY.md and memory.md as one document', async () => {
    const { memory } = newMemory()
    const scope = await newScope()
    const first = await memory.putDocument(scope, { path: 'MEMORY.md', content: 'one' })
    const second = await memory.putDocument(scope, { path: 'memory.md', content: 'two' })
    expect(second).toMatchObject({ created: false, document: { id: first.document.id } })
    expect(await memory.getDocument(scope, './MEMORY.md')).toMatchObject({ content: 'two' })
  })

  it('does nothing when text and index settings are the same', async () => {
    const { memory, embeddings } = newMemory()
    const scope = await newScope()
    const document = { path: 'memory/a.md', content: 'tea' }
    await memory.putDocument(scope, document)
    const calls = embeddings.calls.length
    expect(await memory.putDocument(scope, document)).toMatchObject({
      indexing: 'unchanged',
      created: false,
    })
    expect(embeddings.calls).toHaveLength(calls)
  })

  it('stores metadata that changed while the text did not', async () => {
    const { memory } = newMemory()
    const scope = await newScope()
    const document = { path: 'memory/a.md', content: 'tea' }
    await memory.putDocument(scope, { ...document, metadata: { a: 1 } })
    await memory.putDocument(scope, { ...document, metadata: { a: 2 } })
    expect(await memory.getDocument(scope, 'memory/a.md')).toMatchObject({ metadata: { a: 2 } })
  })

  it('indexes the same text again for another embedding model', async () => {
    const scope = await newScope()
    const document = { path: 'memory/a.md', content: 'tea' }
    await newMemory().memory.putDocument(scope, document)
    const embeddings = createConceptEmbeddings({ model: 'other' })
    const memory = createMemory({ storage: storage(), embeddings })
    expect(await memory.putDocument(scope, document)).toMatchObject({ indexing: 'complete' })
    expect(embeddings.calls).toHaveLength(1)
  })

  it('replaces the old index', async () => {
    const { memory } = newMemory()
    const scope = await newScope()
    await memory.putDocument(scope, { path: 'memory/a.md', content: 'Alice lives in Lisbon.' })
    await memory.putDocument(scope, { path: 'memory/a.md', content: 'Alice lives in Porto.' })
    expect(await memory.search(scope, { query: 'Lisbon' })).toMatchObject({ count: 0 })
    expect(await memory.search(scope, { query: 'Porto' })).toMatchObject({ count: 1 })
  })

  it('stores words when the embedding model fails, and promises the vectors in the same transaction', async () => {
    const { memory, embeddings, clock } = newMemory()
    const scope = await newScope()
    await memory.putDocument(scope, { path: 'memory/a.md', content: 'old words' })
    embeddings.failing = true
    const put = await memory.putDocument(scope, { path: 'memory/a.md', content: 'A new puppy' })
    expect(put).toMatchObject({ indexing: 'lexical', document: { indexState: 'lexical' } })
    expect(await memory.search(scope, { query: 'puppy' })).toMatchObject({ count: 1 })
    const due = await storage().system.deliveries.claim({
      consumers: [EMBEDDING_CONSUMER],
      now: clock.now(),
      limit: 100,
      leaseMs: 1000,
    })
    expect(due.filter(({ orderingKey }) => orderingKey === put.document.id)).toMatchObject([
      {
        event: {
          type: 'chunks.unembedded',
          agentId: scope.agentId,
          userId: 'alice',
          payload: { groupId: put.document.id },
        },
      },
    ])
  })

  it('stores no vector of the wrong length', async () => {
    const { memory, embeddings } = newMemory()
    const scope = await newScope()
    embeddings.actualDimensions = 3
    const put = await memory.putDocument(scope, { path: 'memory/a.md', content: 'tea' })
    expect(put.indexing).toBe('lexical')
    await expect(memory.embedMissing(scope)).rejects.toMatchObject({
      code: 'vector_dimension_mismatch',
    })
  })

  it('lets the last of several writers win, with an index that fits', async () => {
    const { memory } = newMemory()
    const scope = await newScope()
    const words = ['anchor', 'bramble', 'cobalt', 'dahlia', 'ember']
    await Promise.all(
      words.map((word) => memory.putDocument(scope, { path: 'MEMORY.md', content: word })),
    )
    const { content } = await memory.getDocument(scope, 'MEMORY.md')
    for (const word of words) {
      const { count } = await memory.search(scope, { query: word })
      expect([word, count]).toEqual([word, word === content ? 1 : 0])
    }
  })

  it('finds a chunk by a heading that stands above it', async () => {
    const { memory } = newMemory()
    const scope = await newScope()
    const content = `# Zanzibar\n\n${'filler words here\n'.repeat(60)}\nThe ferry leaves at noon.`
    await memory.putDocument(scope, { path: 'memory/trip.md', content })
    const { results } = await memory.search(scope, { query: 'Zanzibar ferry' })
    expect(results[0]?.text).toContain('ferry')
    expect(results[0]?.text).not.toContain('Zanzibar')
  })

  it('cleans what Postgres cannot store', async () => {
    const { memory } = newMemory()
    const scope = await newScope()
    const content = 'tea\0 and \ud800 more'
    const { document } = await memory.putDocument(scope, { path: 'memory/a.md', content })
    expect(document.content).toBe('tea and \ufffd more')
  })

  it('takes an empty document, which is not found', async () => {
    const { memory } = newMemory()
    const scope = await newScope()
    const put = await memory.putDocument(scope, { path: 'memory/a.md', content: '' })
    expect(put).toMatchObject({ indexing: 'complete', document: { content: '' } })
  })

  it.each([
    ['memory/../a.md', 'x', /"\.\."/],
    ['MEMORY.json', 'x', /only read/],
    ['_system/dreaming/a.md', 'x', /belongs to Loam/],
    ['memory/a.md', 'x'.repeat(2_097_153), /2097153 characters; at most 2097152 are allowed/],
  ])('refuses %s', async (path, content, message) => {
    const { memory } = newMemory()
    const put = memory.putDocument(await newScope(), { path, content })
    await expect(put).rejects.toThrow(InvalidInputError)
    await expect(put).rejects.toThrow(message)
  })

  it('stores nothing when it is cancelled', async () => {
    const { memory } = newMemory()
    const scope = await newScope()
    const signal = AbortSignal.abort(new Error('cancelled'))
    const document = { path: 'memory/a.md', content: 'tea' }
    await expect(memory.putDocument(scope, document, { signal })).rejects.toThrow('cancelled')
    await expect(memory.getDocument(scope, 'memory/a.md')).rejects.toThrow(NotFoundError)
  })
})

describe('getDocument', () => {
  it("prefers the user's own document to the shared one", async () => {
    const { memory } = newMemory()
    const scope = await newScope()
    const shared = { ...scope, userId: '' }
    await memory.putDocument(shared, { path: 'MEMORY.md', content: 'shared' })
    expect(await memory.getDocument(scope, 'MEMORY.md')).toMatchObject({ content: 'shared' })
    await memory.putDocument(scope, { path: 'MEMORY.md', content: 'own' })
    expect(await memory.getDocument(scope, 'MEMORY.md')).toMatchObject({ content: 'own' })
    expect(await memory.getDocument(shared, 'MEMORY.md')).toMatchObject({ content: 'shared' })
  })
})

describe('listDocuments', () => {
  it('takes a prefix literally', async () => {
    const { memory } = newMemory()
    const scope = await newScope()
    for (const path of ['memory/a_b.md', 'memory/axb.md', 'memory/a%.md']) {
      await memory.putDocument(scope, { path, content: path })
    }
    const list = await memory.listDocuments(scope, { limit: 10, pathPrefix: './memory/a_' })
    expect(list.items.map(({ path }) => path)).toEqual(['memory/a_b.md'])
  })
})

describe('deleteDocument', () => {
  it('removes the document with its index, and never the shared one instead', async () => {
    const { memory } = newMemory()
    const scope = await newScope()
    const shared = { ...scope, userId: '' }
    await memory.putDocument(shared, { path: 'MEMORY.md', content: 'shared kettle' })
    await expect(memory.deleteDocument(scope, 'MEMORY.md')).rejects.toThrow(NotFoundError)
    await memory.putDocument(scope, { path: 'MEMORY.md', content: 'own kettle' })
    expect(await memory.deleteDocument(scope, 'memory.md')).toMatchObject({
      documents: 1,
      chunks: 1,
    })
    const { results } = await memory.search(scope, { query: 'kettle' })
    expect(results.map(({ text }) => text)).toEqual(['shared kettle'])
  })
})
