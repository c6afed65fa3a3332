import { ConflictError, NotFoundError, generateId } from '@loam/core'
import { describe, expect, it } from 'vitest'
import type { NewMessage } from '../messages.js'
import { DIFFICULT_TEXTS, after, sampleMessage } from './samples.js'
import type { OpenedStorage } from './suite.js'
import { createWorld, type World } from './world.js'

const append = (world: World, sessionId: string, messages: readonly NewMessage[], user = 'ada') =>
  world.as(user, (stores) => stores.messages.append(sessionId, messages))

const all = (world: World, sessionId: string) =>
  world.as('ada', (stores) => stores.messages.range(sessionId, 1, 100_000))

/** Messages: their order, and each of them once. */
export function describeMessages(opened: OpenedStorage): void {
  describe('messages', () => {
    it('returns messages as they were given, in order', async () => {
      const world = await createWorld(opened())
      const sessionId = await world.addSession('ada')
      const messages: NewMessage[] = [
        sampleMessage({ name: 'Ada', senderId: 'u-1', metadata: { channel: { id: 7 } } }),
        sampleMessage({
          role: 'assistant',
          content: null,
          toolCalls: [{ id: 'c1', name: 'look_up', arguments: '{"a":1}' }],
        }),
        sampleMessage({ role: 'tool', toolCallId: 'c1', content: '42', origin: 'system' }),
        sampleMessage({
          content: [
            { type: 'text', text: 'See' },
            { type: 'image', url: 'https://example.org/a.png', caption: 'a cat' },
          ],
          createdAt: after(-5),
        }),
      ]
      const appended = await append(world, sessionId, messages)
      expect(appended).toEqual(
        messages.map(({ id }, index) => ({ id, sequence: index + 1, duplicate: false })),
      )
      expect(await all(world, sessionId)).toEqual(
        messages.map((message, index) => ({ ...message, sessionId, sequence: index + 1 })),
      )
      const session = await world.as('ada', ({ sessions }) => sessions.findById(sessionId))
      expect(session?.lastSequence).toBe(4)
    })

    it.each(DIFFICULT_TEXTS)('keeps $what', async ({ text }) => {
      const world = await createWorld(opened())
      const sessionId = await world.addSession('ada')
      const message = sampleMessage({
        id: `id-${text}`,
        content: text,
        name: text,
        metadata: { text, [`key ${text}`]: [text] },
      })
      await append(world, sessionId, [message])
      expect(await all(world, sessionId)).toEqual([{ ...message, sessionId, sequence: 1 }])
    })

    it('stores a message that is sent twice once, also within one batch and when its keys stand in another order', async () => {
      const world = await createWorld(opened())
      const sessionId = await world.addSession('ada')
      const first = sampleMessage({ id: 'one', metadata: { a: 1, b: { c: 2, d: 3 } } })
      const again = sampleMessage({
        id: 'one',
        metadata: { b: { d: 3, c: 2 }, a: 1 },
        createdAt: after(1),
      })
      const second = sampleMessage({ id: 'two' })
      await append(world, sessionId, [first])
      expect(await append(world, sessionId, [again, second, second])).toEqual([
        { id: 'one', sequence: 1, duplicate: true },
        { id: 'two', sequence: 2, duplicate: false },
        { id: 'two', sequence: 2, duplicate: true },
      ])
      expect(await all(world, sessionId)).toHaveLength(2)
    })

    it.each([
      { what: 'content', change: { content: 'Good evening' } },
      { what: 'role', change: { role: 'assistant' as const } },
      { what: 'metadata', change: { metadata: { a: 2 } } },
      { what: 'no content', change: { content: null } },
      {
        what: 'parts for a text',
        change: { content: [{ type: 'text' as const, text: 'Good morning' }] },
      },
    ])(
      'refuses the id of a message for another with other $what, and stores nothing',
      async ({ change }) => {
        const world = await createWorld(opened())
        const sessionId = await world.addSession('ada')
        await append(world, sessionId, [sampleMessage({ id: 'one' })])
        const changed = sampleMessage({ id: 'one', ...change })
        const conflicting = [sampleMessage({ id: 'new' }), changed]
        await expect(append(world, sessionId, conflicting)).rejects.toSatisfy((error) =>
          ConflictError.isInstance(error),
        )
        const withinOneBatch = [sampleMessage({ id: 'x' }), sampleMessage({ id: 'x', ...change })]
        await expect(append(world, sessionId, withinOneBatch)).rejects.toSatisfy((error) =>
          ConflictError.isInstance(error),
        )
        expect(await all(world, sessionId)).toHaveLength(1)
      },
    )

    it('takes the same id in another session', async () => {
      const world = await createWorld(opened())
      const sessions = [await world.addSession('ada'), await world.addSession('ada')]
      for (const sessionId of sessions) {
        const appended = await append(world, sessionId, [sampleMessage({ id: 'one' })])
        expect(appended).toEqual([{ id: 'one', sequence: 1, duplicate: false }])
      }
    })

    it('finds no session that does not exist, is malformed, or is another user’s', async () => {
      const world = await createWorld(opened())
      const others = await world.addSession('bob')
      for (const sessionId of [generateId(), 'nonsense', others]) {
        await expect(append(world, sessionId, [sampleMessage()])).rejects.toSatisfy((error) =>
          NotFoundError.isInstance(error),
        )
        expect(await all(world, sessionId)).toEqual([])
      }
    })

    it('gives sequences without a gap to ten writers at once', async () => {
      const world = await createWorld(opened())
      const sessionId = await world.addSession('ada')
      const batches = await Promise.all(
        Array.from({ length: 10 }, (_, writer) =>
          append(
            world,
            sessionId,
            Array.from({ length: 7 }, (_unused, index) =>
              sampleMessage({ id: `${writer}-${index}`, content: `${writer}` }),
            ),
          ),
        ),
      )
      for (const batch of batches) {
        const [first] = batch
        expect(batch.map(({ sequence }) => sequence)).toEqual(
          batch.map((_, index) => (first?.sequence ?? 0) + index),
        )
      }
      const stored = await all(world, sessionId)
      expect(stored.map(({ sequence }) => sequence)).toEqual(
        Array.from({ length: 70 }, (_, index) => index + 1),
      )
    })

    it('stores a message once when it is sent ten times at once', async () => {
      const world = await createWorld(opened())
      const sessionId = await world.addSession('ada')
      const message = sampleMessage({ id: 'raced' })
      const results = await Promise.all(
        Array.from({ length: 10 }, () => append(world, sessionId, [message])),
      )
      expect(results.flat().filter(({ duplicate }) => !duplicate)).toHaveLength(1)
      expect(await all(world, sessionId)).toHaveLength(1)
    })

    it('lists by pages, oldest or newest first', async () => {
      const world = await createWorld(opened())
      const sessionId = await world.addSession('ada')
      await append(
        world,
        sessionId,
        Array.from({ length: 5 }, () => sampleMessage()),
      )
      const listed = async (newestFirst: boolean) => {
        const sequences: number[] = []
        let cursor: string | undefined
        do {
          const page = await world.as('ada', ({ messages }) =>
            messages.list(sessionId, { limit: 2, cursor, newestFirst }),
          )
          sequences.push(...page.items.map(({ sequence }) => sequence))
          cursor = page.nextCursor
        } while (cursor !== undefined)
        return sequences
      }
      expect(await listed(false)).toEqual([1, 2, 3, 4, 5])
      expect(await listed(true)).toEqual([5, 4, 3, 2, 1])
    })

    it('returns a range with both ends', async () => {
      const world = await createWorld(opened())
      const sessionId = await world.addSession('ada')
      await append(world, sessionId, [sampleMessage(), sampleMessage(), sampleMessage()])
      const range = (first: number, last: number) =>
        world.as('ada', async ({ messages }) =>
          (await messages.range(sessionId, first, last)).map(({ sequence }) => sequence),
        )
      expect(await range(2, 3)).toEqual([2, 3])
      expect(await range(3, 9)).toEqual([3])
      expect(await range(4, 9)).toEqual([])
    })

    it('tells which ids a session has messages of', async () => {
      const world = await createWorld(opened())
      const [one, other] = [await world.addSession('ada'), await world.addSession('ada')]
      const quoted = 'a "b", {c} \\ d'
      const storedIds = (userId: string, sessionId: string, ids: readonly string[]) =>
        world.as(userId, ({ messages }) => messages.storedIds(sessionId, ids))
      await world.as('ada', ({ messages }) =>
        messages.append(one, [sampleMessage({ id: 'm1' }), sampleMessage({ id: quoted })]),
      )
      expect(await storedIds('ada', one, ['m1', 'm2', quoted, 'm1'])).toEqual(
        new Set(['m1', quoted]),
      )
      expect(await storedIds('ada', other, ['m1'])).toEqual(new Set())
      expect(await storedIds('ben', one, ['m1'])).toEqual(new Set())
      expect(await storedIds('ada', one, [])).toEqual(new Set())
      expect(await storedIds('ada', 'nonsense', ['m1'])).toEqual(new Set())
    })

    it('finds a message by its id, for whoever may see its session', async () => {
      const world = await createWorld(opened())
      const [one, other] = [await world.addSession('ada'), await world.addSession('ada')]
      const message = sampleMessage({ id: 'a "b", {c} \\ d' })
      await append(world, one, [sampleMessage({ id: 'm1' }), message])
      const find = (userId: string, sessionId: string, id: string) =>
        world.as(userId, ({ messages }) => messages.find(sessionId, id))
      expect(await find('ada', one, message.id)).toEqual({
        ...message,
        sessionId: one,
        sequence: 2,
      })
      expect(await find('ada', one, 'm2')).toBeUndefined()
      expect(await find('ada', other, 'm1')).toBeUndefined()
      expect(await find('ben', one, 'm1')).toBeUndefined()
      expect(await find('ada', 'nonsense', 'm1')).toBeUndefined()
    })

    it('appends nothing for an empty batch', async () => {
      const world = await createWorld(opened())
      const sessionId = await world.addSession('ada')
      expect(await append(world, sessionId, [])).toEqual([])
    })
  })
}
