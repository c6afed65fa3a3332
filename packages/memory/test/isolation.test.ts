import { InvalidInputError, NotFoundError, type Scope } from '@loam/core'
import { describe, expect, it } from 'vitest'
import type { Memory } from '../src/memory.js'
import { useStorage } from './memory-fixture.js'

const { newScope, newMemory } = useStorage()

async function remember(memory: Memory, scope: Scope, word: string): Promise<void> {
  await memory.putDocument(scope, { path: 'MEMORY.md', content: `${word} document about a dog` })
  await memory.storeMessages(scope, { key: `session-${word}` }, [
    { role: 'user', name: word, content: `${word} message about a dog` },
    { role: 'user', content: 'beside it' },
  ])
}

async function recall(memory: Memory, scope: Scope, query: string): Promise<string> {
  const { results } = await memory.search(scope, { query, maxResults: 50 })
  return JSON.stringify(results)
}

describe('the memory of two users of one agent', () => {
  it("never shows one user's private text to the other", async () => {
    const { memory } = newMemory()
    const alice = await newScope('alice')
    const bob = { ...alice, userId: 'bob' }
    await remember(memory, alice, 'aardvark')
    await remember(memory, bob, 'bobcat')
    for (const query of ['aardvark bobcat', 'dog', 'puppy', 'beside']) {
      expect(await recall(memory, bob, query)).not.toContain('aardvark')
      expect(await recall(memory, alice, query)).not.toContain('bobcat')
    }
    expect(await recall(memory, bob, 'bobcat')).toContain('bobcat')
    await expect(memory.getDocument({ ...alice, userId: 'carol' }, 'MEMORY.md')).rejects.toThrow(
      NotFoundError,
    )
    const list = await memory.listDocuments(bob, { limit: 10 })
    expect(list.items.map(({ userId }) => userId)).toEqual(['bob'])
  })

  it('shows an empty user the shared part only, and the shared part to all', async () => {
    const { memory } = newMemory()
    const alice = await newScope('alice')
    const shared = { ...alice, userId: '' }
    await memory.putDocument(alice, { path: 'memory/private.md', content: 'aardvark dog' })
    await memory.putDocument(shared, { path: 'memory/shared.md', content: 'commons dog' })
    expect(await recall(memory, shared, 'dog aardvark')).not.toContain('aardvark')
    expect(await recall(memory, shared, 'dog')).toContain('commons')
    const { results } = await memory.search(alice, { query: 'dog' })
    expect(results.map(({ scope, path }) => [path, scope])).toEqual([
      ['memory/private.md', 'personal'],
      ['memory/shared.md', 'global'],
    ])
  })

  it("lets the user's copy of a document hide the shared one, and counts it once", async () => {
    const { memory } = newMemory()
    const alice = await newScope('alice')
    const document = { path: 'MEMORY.md', content: 'kettle instructions' }
    await memory.putDocument({ ...alice, userId: '' }, document)
    await memory.putDocument(alice, document)
    const { results } = await memory.search(alice, { query: 'kettle' })
    expect(results).toMatchObject([{ scope: 'personal', score: 1 }])
  })

  it('prefers the own document by a fifth, where a shared one is as good', async () => {
    const { memory } = newMemory()
    const alice = await newScope('alice')
    const content = 'kettle instructions'
    await memory.putDocument({ ...alice, userId: '' }, { path: 'memory/a.md', content })
    await memory.putDocument(alice, { path: 'memory/b.md', content })
    const { results } = await memory.search(alice, { query: 'kettle' })
    expect(results.map(({ path }) => path)).toEqual(['memory/b.md', 'memory/a.md'])
    expect(results[1]?.score).toBeCloseTo(1 / 1.2)
  })

  it.each([
    ['") or true or ("'],
    ["' or '1'='1"],
    ['%'],
    ['_'],
    ['*'],
    ['alice,bob'],
    ['{alice}'],
    ['ALICE'],
    ['alice '],
    ['аlice'],
  ])('takes the user id %j for a user id', async (userId) => {
    const { memory } = newMemory()
    const alice = await newScope('alice')
    await remember(memory, alice, 'aardvark')
    const hostile = { ...alice, userId }
    expect(await recall(memory, hostile, 'aardvark dog')).toBe('[]')
    await remember(memory, hostile, 'hyena')
    expect(await recall(memory, hostile, 'dog')).toContain('hyena')
    expect(await recall(memory, alice, 'dog')).not.toContain('hyena')
  })

  it.each([['a\0'], ['\ud800'], ['u'.repeat(256)]])('refuses the user id %j', async (userId) => {
    const { memory } = newMemory()
    const scope = { ...(await newScope()), userId }
    await expect(memory.search(scope, { query: 'x' })).rejects.toThrow(InvalidInputError)
    const document = { path: 'MEMORY.md', content: 'x' }
    await expect(memory.putDocument(scope, document)).rejects.toThrow(InvalidInputError)
    await expect(memory.storeMessages(scope, { key: 's' }, [])).rejects.toThrow(InvalidInputError)
  })

  it('keeps two agents of one user apart', async () => {
    const { memory } = newMemory()
    const one = await newScope('alice')
    const other = await newScope('alice')
    await remember(memory, one, 'aardvark')
    expect(await recall(memory, other, 'aardvark dog')).toBe('[]')
  })
})
