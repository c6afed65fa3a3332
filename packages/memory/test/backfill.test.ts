import { ModelError } from '@loam/core'
import { describe, expect, it } from 'vitest'
import { useStorage } from './memory-fixture.js'

const { newScope, newMemory } = useStorage()

describe('embedMissing', () => {
  it('gives vectors to one group, in batches of 50, and completes its document', async () => {
    const { memory, embeddings } = newMemory()
    const scope = await newScope()
    embeddings.failing = true
    const content = Array.from({ length: 70 }, () => `a hound ${'x'.repeat(990)}`).join('\n')
    const { document } = await memory.putDocument(scope, { path: 'memory/a.md', content })
    await memory.storeMessages(scope, { key: 's' }, [{ role: 'user', content: 'a car' }])
    embeddings.failing = false
    const before = embeddings.calls.length
    const count = await memory.embedMissing(scope, { groupId: document.id })
    expect(count).toBeGreaterThanOrEqual(70)
    const sizes = embeddings.calls.slice(before).map(({ texts }) => texts.length)
    expect(Math.max(...sizes)).toBe(50)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(count)
    expect(await memory.search(scope, { query: 'puppy' })).toMatchObject({ count: 6 })
    expect(await memory.getDocument(scope, 'memory/a.md')).toMatchObject({ indexState: 'complete' })
    expect(await memory.embedMissing(scope, { groupId: document.id })).toBe(0)
  })

  it('gives vectors to everything that the user may see, and embeds a message without its role', async () => {
    const { memory, embeddings } = newMemory()
    const scope = await newScope('bob')
    embeddings.failing = true
    await memory.putDocument(scope, { path: 'memory/a.md', content: 'a hound' })
    await memory.storeMessages(scope, { key: 's' }, [{ role: 'user', content: 'an automobile' }])
    embeddings.failing = false
    expect(await memory.embedMissing(scope)).toBe(2)
    expect(embeddings.calls.at(-1)?.texts).toEqual(['a hound', 'an automobile'])
    expect(await memory.search(scope, { query: 'vehicle' })).toMatchObject({ count: 1 })
    expect(await memory.getDocument(scope, 'memory/a.md')).toMatchObject({ indexState: 'complete' })
  })

  it('throws what the model throws, and leaves the document as it stands', async () => {
    const { memory, embeddings } = newMemory()
    const scope = await newScope()
    embeddings.failing = true
    await memory.putDocument(scope, { path: 'memory/a.md', content: 'a hound' })
    await expect(memory.embedMissing(scope)).rejects.toThrow(ModelError)
    expect(await memory.getDocument(scope, 'memory/a.md')).toMatchObject({ indexState: 'lexical' })
  })
})
