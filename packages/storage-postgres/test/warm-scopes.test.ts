import { generateId } from '@loam/core'
import type { ChunkFilter, ChunkSource, NewChunk, Storage, Stores } from '@loam/storage'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStorage } from '../src/index.js'
import { createTestDatabase, postgresTestUrl, type TestDatabase } from '../src/testing/index.js'

const NOW = new Date('2026-12-01T12:00:00.000Z')
const WORDS = ['tea', 'milk', 'ferry', 'harbour', 'noon', 'Ana', '_', "o'clock", '茶']
const USERS = ['', 'ada', 'bob']
const PATHS = ['MEMORY.md', 'memory/a.md', 'memory/b.md']

const FILTERS: readonly Partial<ChunkFilter>[] = [
  {},
  { sources: ['documents'], pathPrefix: 'memory/' },
  {},
  { now: new Date(NOW.getTime() + 2_000) },
]

/** What somebody does to the store between two searches. */
type Step =
  | {
      readonly does: 'say'
      readonly user: string
      readonly texts: readonly string[]
      readonly expires: boolean
    }
  | { readonly does: 'write'; readonly user: string; readonly path: string; readonly text: string }
  | { readonly does: 'forget'; readonly user: string }
  | { readonly does: 'embed'; readonly user: string }
  | { readonly does: 'fail'; readonly user: string; readonly text: string }

const user = fc.constantFrom(...USERS)
const named = fc.constantFrom('ada', 'bob')
const talk = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 })
  .map((words) => words.join(' '))
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('say' as const),
      user: named,
      texts: fc.array(talk, { minLength: 1, maxLength: 4 }),
      expires: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('write' as const),
      user,
      path: fc.constantFrom(...PATHS),
      text: talk,
    }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('forget' as const), user: named }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('embed' as const), user: named }) },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant('fail' as const), user: named, text: talk }),
  },
)

function chunkOf(
  chunk: Pick<NewChunk, 'agentId' | 'userId' | 'owner' | 'text'> & Partial<NewChunk>,
): NewChunk {
  const terms = new Map<string, number>()
  for (const word of chunk.text.split(' ')) terms.set(word, (terms.get(word) ?? 0) + 1)
  const position = chunk.owner.source === 'messages' ? chunk.owner.sequence : 1
  return { id: generateId(), position, part: 0, occurredAt: NOW, terms, ...chunk }
}

/** A vector that depends on the text alone, with one text in some without a direction. */
function vectorOf(content: string): number[] {
  if (content === 'milk') return [0, 0, 0]
  const sums = [0, 0, 0]
  for (const [index, letter] of Array.from(content).entries()) {
    sums[index % 3] = (sums[index % 3] ?? 0) + (((letter.codePointAt(0) ?? 0) * 7) % 13) - 6
  }
  return sums
}

const byId = (a: { readonly chunkId: string }, b: { readonly chunkId: string }) =>
  a.chunkId < b.chunkId ? -1 : 1

describe.skipIf(postgresTestUrl() === undefined)('scopes in memory', () => {
  let database: TestDatabase
  /** Reads everything from the database. */
  let cold: Storage
  /** Two processes that keep scopes in memory, one of them only little. */
  let warm: readonly Storage[]
  beforeAll(async () => {
    database = await createTestDatabase(postgresTestUrl() ?? '')
    cold = await openStorage(database.url, { searchCacheBytes: 0 })
    warm = [
      await openStorage(database.url),
      await openStorage(database.url, { searchCacheBytes: 3_000 }),
    ]
  })
  afterAll(async () => {
    for (const storage of [cold, ...warm]) await storage.close()
    await database.drop()
  })

  async function createWorld() {
    const tenantId = generateId()
    const agentId = generateId()
    const spaceId = await cold.transaction({ tenantId, everyUser: true }, async (stores) => {
      await stores.tenants.ensure({ slug: tenantId, name: 'Test' })
      await stores.agents.create({
        id: agentId,
        key: 'agent',
        type: 'open',
        displayName: undefined,
        description: undefined,
        settings: {},
      })
      return (
        await stores.embeddingSpaces.ensure({ provider: 'test', model: 'three', dimensions: 3 })
      ).id
    })
    const sessions = new Map<string, string[]>()

    async function say(stores: Stores, userId: string, texts: readonly string[], expires: boolean) {
      const id = generateId()
      await stores.sessions.ensure({ id, agentId, key: id, userId, kind: 'direct' })
      await stores.messages.append(
        id,
        texts.map((content) => ({
          id: generateId(),
          role: 'user',
          content,
          origin: 'conversation',
          createdAt: NOW,
        })),
      )
      await stores.chunks.insert(
        texts.map((content, index) =>
          chunkOf({
            agentId,
            userId,
            owner: { source: 'messages', sessionId: id, sequence: index + 1 },
            text: content,
            ...(expires && { expiresAt: new Date(NOW.getTime() + 1_000) }),
          }),
        ),
      )
      return id
    }

    async function take(storage: Storage, one: Step): Promise<void> {
      const as = <Result>(work: (stores: Stores) => Promise<Result>) =>
        storage.transaction({ tenantId, userId: one.user }, work)
      if (one.does === 'say') {
        const id = await as((stores) => say(stores, one.user, one.texts, one.expires))
        sessions.set(one.user, [...(sessions.get(one.user) ?? []), id])
      } else if (one.does === 'write') {
        await as(async (stores) => {
          const { document } = await stores.documents.put({
            id: generateId(),
            agentId,
            userId: one.user,
            path: one.path,
            content: one.text,
            hash: one.text,
            indexState: 'complete',
            indexedHash: one.text,
            indexSettings: undefined,
          })
          const owner = { source: 'documents', documentId: document.id } as const
          await stores.chunks.deleteOf(owner)
          // An own document may have nothing to find, and hides the shared one all the same.
          if (one.text === 'noon') return
          await stores.chunks.insert([
            chunkOf({ agentId, userId: one.user, owner, text: one.text, path: one.path }),
          ])
        })
      } else if (one.does === 'forget') {
        const id = sessions.get(one.user)?.pop()
        if (id !== undefined) await as(({ sessions: store }) => store.delete(id))
      } else if (one.does === 'embed') {
        await as(async ({ chunks, embeddingSpaces }) => {
          const missing = await chunks.withoutVector({ spaceId, limit: 100 })
          await embeddingSpaces.putVectors(
            spaceId,
            missing.map(({ chunkId, text: content }) => ({ chunkId, vector: vectorOf(content) })),
          )
        })
      } else {
        const failing = as(async (stores) => {
          await say(stores, one.user, [one.text], false)
          // Searched with what is about to be undone.
          await search(stores, one.text.split(' '))
          throw new Error('undone')
        })
        await expect(failing).rejects.toThrow('undone')
      }
    }

    async function search(
      stores: Stores,
      terms: readonly string[],
      more: Partial<ChunkFilter> = {},
    ) {
      const sources: readonly ChunkSource[] = ['documents', 'messages', 'episodes']
      const filter: ChunkFilter = { agentId, sources, now: NOW, ...more }
      const lexical = await stores.chunks.matchTerms(filter, terms, {
        maxPostings: 12,
        maxCandidates: 8,
      })
      const query = { spaceId, vector: vectorOf(terms.join(' ')), limit: 5 }
      const vectors = await stores.chunks.nearest(filter, query)
      const beside = await stores.chunks.at(
        lexical.matches.map(({ groupId, position }) => ({ groupId, position: position + 1 })),
      )
      return {
        lexical,
        vectors: vectors.map(({ similarity, ...key }) => ({
          ...key,
          similarity: Math.round(similarity * 1e5),
        })),
        beside: beside.toSorted(byId),
      }
    }

    const ask = (
      storage: Storage,
      userId: string,
      terms: readonly string[],
      more?: Partial<ChunkFilter>,
    ) => storage.transaction({ tenantId, userId }, (stores) => search(stores, terms, more))
    return { take, ask }
  }

  it('are searched with the same result as the database, whatever is done meanwhile and by whom', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 10 }),
        fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }),
        async (steps, terms) => {
          const { take, ask } = await createWorld()
          for (const [index, one] of steps.entries()) {
            await take([cold, ...warm][index % 3] ?? cold, one)
            for (const userId of USERS) {
              const expected = await ask(cold, userId, terms, FILTERS[index % FILTERS.length])
              for (const storage of warm) {
                expect(await ask(storage, userId, terms, FILTERS[index % FILTERS.length])).toEqual(
                  expected,
                )
              }
            }
          }
        },
      ),
      { numRuns: 15 },
    )
  })

  it('forget what is deleted, and never knew what was undone', async () => {
    const { take, ask } = await createWorld()
    const [storage = cold] = warm
    const found = async () => (await ask(storage, 'ada', ['tea'])).lexical.matches.length
    const say = { does: 'say', user: 'ada', texts: ['tea'], expires: false } as const
    await take(storage, say)
    await take(cold, say)
    expect(await found()).toBe(2)
    await take(storage, { does: 'fail', user: 'ada', text: 'tea' })
    expect(await found()).toBe(2)
    await take(storage, say)
    expect(await found()).toBe(3)
    await take(cold, { does: 'forget', user: 'ada' })
    expect(await found()).toBe(2)
    await take(cold, say)
    expect(await found()).toBe(3)
  })

  it('hold what is committed while others search and write', async () => {
    const { take, ask } = await createWorld()
    const [first = cold, second = cold] = warm
    await Promise.all(
      Array.from({ length: 24 }, async (_, index) => {
        const storage = index % 2 === 0 ? first : second
        await take(storage, {
          does: 'say',
          user: 'ada',
          texts: [`tea ${WORDS[index % WORDS.length]}`],
          expires: false,
        })
        await ask(storage, 'ada', ['tea'])
        await ask(first, 'ada', ['tea', 'noon'])
      }),
    )
    const expected = await ask(cold, 'ada', ['tea', 'noon'])
    for (const storage of warm) expect(await ask(storage, 'ada', ['tea', 'noon'])).toEqual(expected)
    expect((await ask(first, 'bob', ['tea'])).lexical.matches).toEqual([])
  })
})
