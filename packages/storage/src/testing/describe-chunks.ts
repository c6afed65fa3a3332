import { InvalidInputError, generateId } from '@loam/core'
import { describe, expect, it } from 'vitest'
import {
  DIFFICULT_TEXTS,
  NOW,
  sampleChunk,
  sampleDocument,
  sampleEpisode,
  sampleMessage,
} from './samples.js'
import type { OpenedStorage } from './suite.js'
import { createWorld } from './world.js'

/** Chunks: what is read back, and what their owners tell of them. */
export function describeChunks(opened: OpenedStorage): void {
  describe('chunks', () => {
    it('reads chunks with the names of their owners', async () => {
      const world = await createWorld(opened())
      const { agentId } = world
      const sessionId = await world.addSession('ada', 'talk')
      const document = sampleDocument({ agentId, userId: 'ada', path: 'memory/a.md' })
      const episode = sampleEpisode({ agentId, userId: 'ada', sessionId })
      const owned = { agentId, userId: 'ada' }
      const chunks = [
        sampleChunk({
          ...owned,
          owner: { source: 'documents', documentId: document.id },
          text: 'of a document',
          position: 3,
          path: 'memory/a.md',
          startLine: 5,
          endLine: 9,
        }),
        sampleChunk({
          ...owned,
          owner: { source: 'messages', sessionId, sequence: 1 },
          text: 'of a message',
          part: 2,
          speaker: 'Ada',
        }),
        sampleChunk({
          ...owned,
          owner: { source: 'episodes', episodeId: episode.id },
          text: 'of an episode',
        }),
      ]
      const read = await world.as('ada', async (stores) => {
        await stores.messages.append(sessionId, [sampleMessage({ id: 'client-1' })])
        await stores.documents.put(document)
        await stores.episodes.insertIfNew(episode)
        await stores.chunks.insert(chunks)
        return await stores.chunks.read([...chunks.map(({ id }) => id), generateId(), 'nonsense'])
      })
      const byText = new Map(read.map((chunk) => [chunk.text, chunk]))
      expect(read).toHaveLength(3)
      expect(byText.get('of a document')).toEqual({
        chunkId: chunks[0]?.id,
        source: 'documents',
        groupId: document.id,
        position: 3,
        part: 0,
        userId: 'ada',
        path: 'memory/a.md',
        startLine: 5,
        endLine: 9,
        speaker: undefined,
        occurredAt: NOW,
        text: 'of a document',
        sessionKey: undefined,
        messageId: undefined,
      })
      expect(byText.get('of a message')).toMatchObject({
        source: 'messages',
        groupId: sessionId,
        position: 1,
        part: 2,
        speaker: 'Ada',
        sessionKey: 'talk',
        messageId: 'client-1',
      })
      expect(byText.get('of an episode')).toMatchObject({
        source: 'episodes',
        groupId: episode.id,
        sessionKey: 'talk',
        messageId: undefined,
      })
      const seenByBob = await world.as('bob', (stores) =>
        stores.chunks.read(chunks.map(({ id }) => id)),
      )
      expect(seenByBob).toEqual([])
    })

    it.each(DIFFICULT_TEXTS)('keeps $what, and finds it by a term like it', async ({ text }) => {
      const world = await createWorld(opened())
      const { agentId } = world
      const document = sampleDocument({ agentId })
      const chunk = sampleChunk({
        agentId,
        userId: '',
        owner: { source: 'documents', documentId: document.id },
        text,
        path: text,
        speaker: text,
        terms: new Map([[text, 2]]),
      })
      const [read, found] = await world.as('', async (stores) => {
        await stores.documents.put(document)
        await stores.chunks.insert([chunk])
        return [
          await stores.chunks.read([chunk.id]),
          await stores.chunks.matchTerms({ agentId, sources: ['documents'], now: NOW }, [text], {
            maxPostings: 10,
            maxCandidates: 10,
          }),
        ]
      })
      expect(read).toMatchObject([{ text, path: text, speaker: text }])
      expect(found.matches).toMatchObject([
        { chunkId: chunk.id, length: 2, frequencies: new Map([[text, 2]]) },
      ])
    })

    it('refuses chunks of several users in one call', async () => {
      const world = await createWorld(opened())
      const owner = { source: 'documents', documentId: generateId() } as const
      const mixed = ['ada', ''].map((userId) =>
        sampleChunk({ agentId: world.agentId, userId, owner, text: 'a' }),
      )
      const insert = world.as('ada', ({ chunks }) => chunks.insert(mixed))
      await expect(insert).rejects.toSatisfy((error) => InvalidInputError.isInstance(error))
    })

    it('returns the chunks at places, in whichever group', async () => {
      const world = await createWorld(opened())
      const { agentId } = world
      const sessionId = await world.addSession('ada')
      const [two, three] = await world.as('ada', async (stores) => {
        await stores.messages.append(sessionId, [sampleMessage(), sampleMessage(), sampleMessage()])
        const made = [1, 2, 2, 3].map((sequence, index) =>
          sampleChunk({
            agentId,
            userId: 'ada',
            owner: { source: 'messages', sessionId, sequence },
            text: `t${index}`,
            part: index === 2 ? 1 : 0,
          }),
        )
        await stores.chunks.insert(made)
        return [
          await stores.chunks.at([
            { groupId: sessionId, position: 2 },
            { groupId: sessionId, position: 2 },
            { groupId: sessionId, position: 9 },
            { groupId: generateId(), position: 1 },
          ]),
          await stores.chunks.at([{ groupId: sessionId, position: 3 }]),
        ]
      })
      expect(two.map(({ part }) => part).toSorted((a, b) => a - b)).toEqual([0, 1])
      expect(three).toMatchObject([{ groupId: sessionId, position: 3, part: 0 }])
    })

    it('removes the chunks of one owner, and their words', async () => {
      const world = await createWorld(opened())
      const { agentId } = world
      const sessionId = await world.addSession('ada')
      const filter = { agentId, sources: ['messages'], now: NOW } as const
      const limits = { maxPostings: 100, maxCandidates: 100 }
      const result = await world.as('ada', async (stores) => {
        await stores.messages.append(sessionId, [sampleMessage(), sampleMessage()])
        const of = (sequence: number) =>
          sampleChunk({
            agentId,
            userId: 'ada',
            owner: { source: 'messages', sessionId, sequence },
            text: 'tea',
          })
        await stores.chunks.insert([of(1), of(1), of(2)])
        const removed = await stores.chunks.deleteOf({ source: 'messages', sessionId, sequence: 1 })
        return { removed, left: await stores.chunks.matchTerms(filter, ['tea'], limits) }
      })
      expect(result.removed).toBe(2)
      expect(result.left.matches).toMatchObject([{ position: 2 }])
      expect(result.left.statistics).toMatchObject({ chunkCount: 1, sessionCount: 1 })
    })
  })
}
