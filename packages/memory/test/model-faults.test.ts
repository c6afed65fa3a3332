import {
  LoamError,
  ModelOutputError,
  VectorDimensionError,
  generateId,
  ModelError,
  type Scope,
} from '@loam/core'
import type { ModelFaultName } from '@loam/models/testing'
import type { NewEpisode } from '@loam/storage'
import { describe, expect, it } from 'vitest'
import type { Memory } from '../src/memory.js'
import { useStorage } from './memory-fixture.js'
import { EMBEDDING_FAULTS, startFaultyMemory } from './remote-embeddings.js'

const { storage, newScope } = useStorage()

/** What a call is told of faults other than those of the endpoint as a whole. */
const CODES: Partial<Record<ModelFaultName, string>> = {
  wrongDimensions: VectorDimensionError.code,
  fewerVectors: ModelOutputError.code,
}
const codeOf = (name: ModelFaultName) => CODES[name] ?? ModelError.code

/** Requests for one text: an endpoint that refuses it is asked once more, about a harmless one. */
const requestsFor = (name: ModelFaultName) => (name === 'refusal' ? 2 : 1)

/** What is found by a word, and what only by its meaning. */
async function findings(memory: Memory, scope: Scope, word: string, synonym: string) {
  const byWord = await memory.search(scope, { query: word })
  const byMeaning = await memory.search(scope, { query: synonym })
  return {
    byWord: byWord.results.map(({ text }) => text),
    byMeaning: byMeaning.results.map(({ text }) => text),
    degraded: byWord.degraded,
  }
}

describe('storeMessages, when the embedding endpoint', () => {
  it.each(EMBEDDING_FAULTS)('has the fault %s', async (name) => {
    await using world = await startFaultyMemory(storage(), name)
    const { memory, server, isHarmless, mend } = world
    const scope = await newScope()
    const stored = await memory.storeMessages(scope, { key: 's' }, [
      { id: 'm1', role: 'user', content: 'I walk my hound' },
    ])
    expect(server.count('embeddings')).toBe(requestsFor(name))
    expect(stored).toMatchObject({
      indexState: isHarmless ? 'complete' : 'lexical',
      items: [{ id: 'm1', sequence: 1, duplicate: false }],
    })
    const during = await findings(memory, scope, 'hound', 'puppy')
    expect(during.byWord).toEqual(['user: I walk my hound'])
    expect(during.byMeaning).toEqual(isHarmless ? during.byWord : [])

    mend()
    const groupId = stored.session.id
    expect(await memory.embedMissing(scope, { groupId })).toBe(isHarmless ? 0 : 1)
    expect(await findings(memory, scope, 'hound', 'puppy')).toEqual({
      byWord: ['user: I walk my hound'],
      byMeaning: ['user: I walk my hound'],
      degraded: undefined,
    })
  })
})

describe('putDocument, when the embedding endpoint', () => {
  it.each(EMBEDDING_FAULTS)('has the fault %s', async (name) => {
    await using world = await startFaultyMemory(storage(), name)
    const { memory, server, isHarmless, mend } = world
    const scope = await newScope()
    const written = { path: 'MEMORY.md', content: 'Alice drinks tea.' }
    const state = isHarmless ? 'complete' : 'lexical'
    const put = await memory.putDocument(scope, written)
    expect(server.count('embeddings')).toBe(requestsFor(name))
    expect(put).toMatchObject({ indexing: state, document: { indexState: state } })
    const during = await findings(memory, scope, 'drinks', 'beverage')
    expect(during.byWord).toEqual(['Alice drinks tea.'])

    mend()
    // Whoever writes it again, or fills what is missing, completes it.
    const again = await memory.putDocument(scope, written)
    expect(again.indexing).toBe(isHarmless ? 'unchanged' : 'complete')
    expect(await memory.embedMissing(scope, { groupId: put.document.id })).toBe(0)
    expect(await findings(memory, scope, 'drinks', 'beverage')).toMatchObject({
      byWord: ['Alice drinks tea.'],
      byMeaning: ['Alice drinks tea.'],
    })
    expect(await memory.getDocument(scope, 'MEMORY.md')).toMatchObject({ indexState: 'complete' })
  })
})

describe('search, when the embedding endpoint', () => {
  it.each(EMBEDDING_FAULTS)('has the fault %s', async (name) => {
    await using world = await startFaultyMemory(storage(), name)
    const { memory, server, isHarmless, mend } = world
    const scope = await newScope()
    await memory.putDocument(scope, { path: 'MEMORY.md', content: 'The car is red.' })
    const before = server.count('embeddings')
    const found = await memory.search(scope, { query: 'red' })
    expect(server.count('embeddings') - before).toBe(requestsFor(name))
    expect(found.results.map(({ text }) => text)).toEqual(['The car is red.'])
    const degraded = `The embedding model concepts did not answer (${codeOf(name)}); only words were searched.`
    expect(found.degraded).toBe(isHarmless ? undefined : degraded)
    mend()
    expect((await memory.search(scope, { query: 'red' })).degraded).toBeUndefined()
  })
})

describe('embedMissing, when the embedding endpoint', () => {
  it.each(EMBEDDING_FAULTS)('has the fault %s', async (name) => {
    // A user of its own, since all that the user may see is filled.
    const scope = await newScope(generateId())
    {
      await using away = await startFaultyMemory(storage(), 'serverError')
      await away.memory.storeMessages(scope, { key: 's' }, [
        { role: 'user', content: 'the automobile' },
      ])
    }
    await using world = await startFaultyMemory(storage(), name)
    const { memory, server, fault, isHarmless, mend } = world
    const outcome: unknown = await memory.embedMissing(scope).catch((error: unknown) => error)
    expect(server.count('embeddings')).toBe(requestsFor(name))
    const failure = LoamError.isInstance(outcome)
      ? { code: outcome.code, retryable: outcome.retryable }
      : outcome
    const expected = { code: codeOf(name), retryable: fault.nature === 'passes' }
    expect(failure).toEqual(isHarmless ? 1 : expected)

    mend()
    expect(await memory.embedMissing(scope)).toBe(isHarmless ? 0 : 1)
    expect(await memory.embedMissing(scope)).toBe(0)
    expect(await memory.search(scope, { query: 'vehicle' })).toMatchObject({ count: 1 })
  })
})

describe('prepareEpisode, when the embedding endpoint', () => {
  it.each(EMBEDDING_FAULTS)('has the fault %s', async (name) => {
    await using world = await startFaultyMemory(storage(), name)
    const { memory, server, isHarmless, mend } = world
    const scope = await newScope()
    const { session } = await memory.storeMessages(scope, { key: 's' }, [
      { role: 'system', content: 'Be brief.' },
    ])
    expect(server.count('embeddings')).toBe(0)
    const episode = sampleEpisode(scope, session.id)
    const index = await memory.prepareEpisode(scope, episode)
    expect(index.state).toBe(isHarmless ? 'complete' : 'lexical')
    expect(server.count('embeddings')).toBe(requestsFor(name))
    const access = { tenantId: scope.tenantId, userId: scope.userId }
    await storage().transaction(access, async (stores) => {
      await stores.episodes.insertIfNew(episode)
      await index.write(stores)
    })
    const during = await memory.search(scope, { query: 'appointment' })
    expect(during.results).toMatchObject([{ episodeId: episode.id }])

    mend()
    expect(await memory.embedMissing(scope, { groupId: episode.id })).toBe(isHarmless ? 0 : 1)
    const after = await memory.search(scope, { query: 'surgeon' })
    expect(after.results).toMatchObject([{ episodeId: episode.id }])
  })
})

function sampleEpisode({ agentId, userId }: Scope, sessionId: string): NewEpisode {
  return {
    id: generateId(),
    agentId,
    userId,
    sessionId,
    firstSequence: 1,
    lastSequence: 1,
    summary: 'The appointment with the doctor was moved.',
    abstract: 'An appointment.',
    topics: [],
    method: 'rules',
    messageCount: 1,
    startedAt: new Date('2026-11-30T10:00:00Z'),
    endedAt: new Date('2026-11-30T11:00:00Z'),
    createdAt: new Date('2026-11-30T12:00:00Z'),
    expiresAt: undefined,
  }
}
