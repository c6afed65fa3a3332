import { InvalidInputError, NotFoundError, generateId, type ChatModel } from '@loam/core'
import type { Storage } from '@loam/storage'
import { createTestStorage } from '@loam/storage-postgres/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld } from './world.js'

let storage: Storage
beforeAll(async () => {
  storage = await createTestStorage()
})
afterAll(() => storage.close())

const talk = [
  'I live in Porto, in a flat with a view of the river and of many roofs.',
  'How nice! Do you take the tram to work, or do you walk along the river?',
  'I walk to the office every morning, and I buy bread at the corner on my way back home.',
  'Then you know the bakery with the green door; they say that its bread is the best of all.',
  'Yes, and on Sundays my sister Marta comes for lunch, and we talk about our garden.',
]

describe('an episode of which something is forgotten', () => {
  it('is made again of what remains, once, however often that is asked for', async () => {
    const world = await createWorld(storage)
    await world.say(talk)
    await world.handle(await world.run())
    expect(JSON.stringify(await world.episodes())).toContain('Porto')
    const events = await world.forget([1])
    expect(events).toMatchObject([{ payload: { firstSequence: 1, lastSequence: 5 } }])
    expect(await world.episodes()).toEqual([])
    for (const event of [...events, ...events]) await world.handle(event)
    const episodes = await world.episodes()
    expect(episodes).toMatchObject([{ firstSequence: 1, lastSequence: 5, messageCount: 4 }])
    expect(JSON.stringify(episodes)).not.toContain('Porto')
    const { results } = await world.memory.search(world.scope, { query: 'Porto flat river' })
    expect(JSON.stringify(results)).not.toContain('Porto')
  })

  it('is not made again when too little remains, nor by a later run', async () => {
    const world = await createWorld(storage)
    await world.say(talk)
    const run = await world.run()
    await world.handle(run)
    for (const event of await world.forget([1, 2, 3, 4])) await world.handle(event)
    await world.handle(run)
    expect(await world.episodes()).toEqual([])
    await world.say(talk.slice(1))
    await world.handle(await world.run())
    expect(await world.stretches()).toEqual([[6, 9]])
  })

  it('is planned anew when it is forgotten while the model writes', async () => {
    const read: string[] = []
    let forgets: (() => Promise<unknown>) | undefined
    const chat: ChatModel = {
      provider: 'test',
      model: 'scripted',
      chat: () => Promise.reject(new Error('Only chatObject is expected.')),
      async chatObject({ schema, messages }) {
        const transcript = JSON.stringify(messages)
        read.push(transcript)
        await forgets?.()
        forgets = undefined
        return schema.parse({ summary: transcript, abstract: 'A talk.', topics: [] })
      },
    }
    const world = await createWorld(storage, { chat })
    await world.say(talk)
    forgets = () => world.forget([1])
    await world.handle(await world.run())
    expect(read.map((transcript) => transcript.includes('Porto'))).toEqual([true, false])
    const episodes = await world.episodes()
    expect(episodes).toHaveLength(1)
    expect(JSON.stringify(episodes)).not.toContain('Porto')
  })

  it('leaves nothing of it in what a client compacted', async () => {
    const world = await createWorld(storage)
    await world.say(talk)
    const run = await world.run({ compactionSummary: 'Ann lives in Porto.' })
    await world.handle(run)
    for (const event of await world.forget([1])) await world.handle(event)
    await world.handle(run)
    expect(await world.episodes()).toMatchObject([{ method: 'rules' }])
    const stored = await storage.transaction(world.access, ({ runs }) =>
      runs.find(run.payload.runId),
    )
    expect(stored?.compactionSummary).toBeUndefined()
  })
})

describe('an episode that is gone', () => {
  it('is not made again when it expired', async () => {
    const world = await createWorld(storage, { settings: { episodicTtlDays: 1 } })
    await world.say(talk)
    const run = await world.run()
    await world.handle(run)
    world.clock.advance(2 * 86_400_000)
    await world.consolidation.deleteExpired(world.scope.tenantId)
    await world.handle(run)
    expect(await world.episodes()).toEqual([])
    await world.say(talk.slice(1))
    await world.handle(await world.run())
    expect(await world.stretches()).toEqual([[6, 9]])
  })
})

describe('correcting an episode', () => {
  it('replaces what it says and what it is found by', async () => {
    const world = await createWorld(storage)
    await world.say(talk)
    await world.handle(await world.run())
    const [episode] = await world.episodes()
    const correction = {
      episodeId: episode?.id ?? '',
      summary: 'Ann lives in Braga with a parrot.',
    }
    const corrected = await world.consolidation.correctEpisode(world.scope, correction)
    expect(corrected).toMatchObject({
      id: episode?.id,
      summary: correction.summary,
      abstract: correction.summary,
      method: 'correction',
    })
    const matched = async (query: string) => {
      const request = { query, sources: ['episodes'], explain: true } as const
      const { results } = await world.memory.search(world.scope, request)
      return results.flatMap(({ explanation }) => explanation?.matchedTerms ?? [])
    }
    expect([await matched('parrot'), await matched('bakery')]).toEqual([['parrot'], []])
  })

  it.each([
    ['an empty summary', '  ', InvalidInputError],
    ['a summary without end', 'x'.repeat(10_001), InvalidInputError],
    ['an episode of nobody', 'Text.', NotFoundError],
  ])('refuses %s', async (_name, summary, errorClass) => {
    const world = await createWorld(storage)
    const refused = world.consolidation.correctEpisode(world.scope, {
      episodeId: generateId(),
      summary,
    })
    await expect(refused).rejects.toSatisfy((error) => errorClass.isInstance(error))
  })
})
