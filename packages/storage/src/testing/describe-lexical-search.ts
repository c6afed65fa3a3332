import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChunkSource, LexicalMatches } from '../chunks.js'
import { NOW, after, sampleChunk, sampleDocument, sampleEpisode, sampleMessage } from './samples.js'
import type { OpenedStorage } from './suite.js'
import { createWorld, type World } from './world.js'

const LIMITS = { maxPostings: 10_000, maxCandidates: 1000 }
const ALL: readonly ChunkSource[] = ['documents', 'messages', 'episodes']

async function addDocument(world: World, userId: string, path: string, text: string) {
  const document = sampleDocument({ agentId: world.agentId, userId, path })
  const owner = { source: 'documents', documentId: document.id } as const
  const chunk = sampleChunk({ agentId: world.agentId, userId, owner, text, path })
  await world.as(userId, async ({ documents, chunks }) => {
    await documents.put(document)
    await chunks.insert([chunk])
  })
  return chunk.id
}

async function addMessages(world: World, userId: string, texts: readonly string[]) {
  const sessionId = await world.addSession(userId)
  const made = texts.map((text, index) =>
    sampleChunk({
      agentId: world.agentId,
      userId,
      owner: { source: 'messages', sessionId, sequence: index + 1 },
      text,
    }),
  )
  await world.as(userId, async ({ messages, chunks }) => {
    await messages.append(
      sessionId,
      texts.map((content) => sampleMessage({ content })),
    )
    await chunks.insert(made)
  })
  return { sessionId, ids: made.map(({ id }) => id) }
}

const search = (
  world: World,
  userId: string,
  terms: readonly string[],
  filter: { sources?: readonly ChunkSource[]; pathPrefix?: string; now?: Date } = {},
  limits = LIMITS,
): Promise<LexicalMatches> =>
  world.as(userId, ({ chunks }) =>
    chunks.matchTerms({ agentId: world.agentId, sources: ALL, now: NOW, ...filter }, terms, limits),
  )

/** Ids in order, so that two sets of them can be compared. */
const inOrder = (ids: readonly (string | undefined)[]) =>
  ids.toSorted((a = '', b = '') => (a < b ? -1 : 1))

const byId = (a: { readonly id: string }, b: { readonly id: string }) => (a.id < b.id ? -1 : 1)

const ids = ({ matches }: LexicalMatches) => inOrder(matches.map(({ chunkId }) => chunkId))

/** The search by words: which chunks are found, and the numbers that ranking needs. */
export function describeLexicalSearch(opened: OpenedStorage): void {
  describe('matchTerms', () => {
    it('finds chunks in which any of the terms stands, of the user and the shared part', async () => {
      const world = await createWorld(opened())
      const shared = await addDocument(world, '', 'a.md', 'tea coffee')
      const own = await addMessages(world, 'ada', ['tea tea milk', 'water'])
      await addMessages(world, 'bob', ['tea for bob'])
      const found = await search(world, 'ada', ['tea', 'coffee', 'unknown'])
      expect(ids(found)).toEqual(inOrder([shared, own.ids[0]]))
      expect(found.statistics).toEqual({
        chunkCount: 3,
        totalLength: 6,
        documentFrequencies: new Map([
          ['tea', 2],
          ['coffee', 1],
        ]),
        sessionCount: 1,
        sessionTotalLength: 4,
      })
      expect(found.matches.find(({ chunkId }) => chunkId === own.ids[0])).toMatchObject({
        length: 3,
        frequencies: new Map([['tea', 2]]),
      })
      expect(found.sessionLengths).toEqual(new Map([[own.sessionId, 4]]))
      expect(ids(await search(world, '', ['tea']))).toEqual([shared])
    })

    it('finds nothing without a term, a source, or a known agent', async () => {
      const world = await createWorld(opened())
      await addDocument(world, '', 'a.md', 'tea')
      expect(ids(await search(world, 'ada', []))).toEqual([])
      expect(ids(await search(world, 'ada', ['tea'], { sources: [] }))).toEqual([])
      const elsewhere = await world.as('ada', ({ chunks }) =>
        chunks.matchTerms({ agentId: world.tenantId, sources: ALL, now: NOW }, ['tea'], LIMITS),
      )
      expect(ids(elsewhere)).toEqual([])
    })

    it('finds only the sources asked for', async () => {
      const world = await createWorld(opened())
      const document = await addDocument(world, 'ada', 'a.md', 'tea')
      const messages = await addMessages(world, 'ada', ['tea'])
      expect(ids(await search(world, 'ada', ['tea'], { sources: ['documents'] }))).toEqual([
        document,
      ])
      expect(ids(await search(world, 'ada', ['tea'], { sources: ['messages'] }))).toEqual(
        messages.ids,
      )
      expect(ids(await search(world, 'ada', ['tea'], { sources: ['episodes'] }))).toEqual([])
    })

    it('takes a path prefix literally, and restricts documents alone by it', async () => {
      const world = await createWorld(opened())
      const inside = await addDocument(world, 'ada', 'a_b/x.md', 'tea')
      await addDocument(world, 'ada', 'acb/x.md', 'tea')
      const messages = await addMessages(world, 'ada', ['tea'])
      const found = await search(world, 'ada', ['tea'], { pathPrefix: 'a_b/' })
      expect(ids(found)).toEqual(inOrder([inside, ...messages.ids]))
    })

    it('hides a shared document behind the user’s own at the same path', async () => {
      const world = await createWorld(opened())
      const shared = await addDocument(world, '', 'MEMORY.md', 'tea of all')
      const own = await addDocument(world, 'ada', 'MEMORY.md', 'tea of ada')
      expect(ids(await search(world, 'ada', ['tea']))).toEqual([own])
      expect(ids(await search(world, 'bob', ['tea']))).toEqual([shared])
      expect(ids(await search(world, '', ['tea']))).toEqual([shared])
    })

    it('does not find what has expired', async () => {
      const world = await createWorld(opened())
      const { agentId } = world
      const sessionId = await world.addSession('ada')
      const episode = sampleEpisode({ agentId, userId: 'ada', sessionId, expiresAt: after(1000) })
      const owner = { source: 'episodes', episodeId: episode.id } as const
      const chunk = sampleChunk({
        agentId,
        userId: 'ada',
        owner,
        text: 'tea',
        expiresAt: after(1000),
      })
      await world.as('ada', async ({ episodes, chunks }) => {
        await episodes.insertIfNew(episode)
        await chunks.insert([chunk])
      })
      expect(ids(await search(world, 'ada', ['tea'], { now: after(999) }))).toEqual([chunk.id])
      expect(ids(await search(world, 'ada', ['tea'], { now: after(1000) }))).toEqual([])
    })

    it('reads the rarest terms first within the bound, and still counts all', async () => {
      const world = await createWorld(opened())
      const texts = Array.from({ length: 30 }, (_, index) => (index === 4 ? 'tea rare' : 'tea'))
      const { ids: made } = await addMessages(world, 'ada', texts)
      const limits = { maxPostings: 5, maxCandidates: 3 }
      const found = await search(world, 'ada', ['tea', 'rare'], {}, limits)
      expect(found.matches).toHaveLength(3)
      expect(found.matches[0]?.chunkId).toBe(made[4])
      expect(found.matches[0]?.frequencies).toEqual(
        new Map([
          ['tea', 1],
          ['rare', 1],
        ]),
      )
      expect(found.statistics.documentFrequencies).toEqual(
        new Map([
          ['tea', 30],
          ['rare', 1],
        ]),
      )
      expect((await search(world, 'ada', ['tea'], {}, limits)).matches).toHaveLength(3)
    })

    it('agrees with counting by hand, whatever was inserted and deleted', async () => {
      const world = await createWorld(opened())
      const word = fc.constantFrom('a', 'b', 'c', 'd', 'e')
      const text = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' '))
      const owner = fc.constantFrom('', 'ada', 'bob')
      const session = fc.record({ owner, texts: fc.array(text, { minLength: 1, maxLength: 4 }) })
      await fc.assert(
        fc.asyncProperty(
          fc.array(session, { minLength: 1, maxLength: 4 }),
          fc.uniqueArray(word, { minLength: 1, maxLength: 3 }),
          async (sessions, terms) => {
            const added = []
            for (const { owner: userId, texts } of sessions) {
              added.push({ userId, texts, ...(await addMessages(world, userId, texts)) })
            }
            const removed = added.shift()
            await world.asEveryone(({ sessions: store }) => store.delete(removed?.sessionId ?? ''))
            const visible = added.filter(({ userId }) => userId === '' || userId === 'ada')
            const lengths = visible.map(({ texts }) => texts.join(' ').split(' ').length)
            const all = visible.flatMap(({ texts, ids: made }) =>
              texts.map((content, index) => ({ id: made[index] ?? '', words: content.split(' ') })),
            )
            const holding = (term: string) => all.filter(({ words }) => words.includes(term))
            const found = await search(world, 'ada', terms)
            expect(found.statistics).toEqual({
              chunkCount: all.length,
              totalLength: all.reduce((sum, { words }) => sum + words.length, 0),
              documentFrequencies: new Map(
                terms.flatMap((term) => {
                  const count = holding(term).length
                  return count > 0 ? [[term, count] as const] : []
                }),
              ),
              sessionCount: visible.length,
              sessionTotalLength: lengths.reduce((sum, length) => sum + length, 0),
            })
            const expected = all.flatMap(({ id, words }) => {
              const frequencies = new Map(
                terms.flatMap((term) => {
                  const count = words.filter((each) => each === term).length
                  return count > 0 ? [[term, count] as const] : []
                }),
              )
              return frequencies.size > 0 ? [{ id, length: words.length, frequencies }] : []
            })
            const matches = found.matches.map(({ chunkId, length, frequencies }) => ({
              id: chunkId,
              length,
              frequencies,
            }))
            expect(matches.toSorted(byId)).toEqual(expected.toSorted(byId))
            for (const { sessionId } of added) {
              await world.asEveryone(({ sessions: store }) => store.delete(sessionId))
            }
          },
        ),
        { numRuns: 12 },
      )
    })
  })
}
