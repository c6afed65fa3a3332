import { MESSAGE_ROLES, type Message, type MessageOrigin } from '@loam/storage'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextStretch } from '../src/stretch.js'
import { message, words } from './conversation.js'

function reader(messages: readonly Message[]) {
  return async (first: number, last: number) =>
    messages.filter(({ sequence }) => sequence >= first && sequence <= last)
}

/** All stretches of a session, one after the other, and the first sequence that none covers. */
async function stretchesOf(messages: readonly Message[], lastSequence = messages.length) {
  const stretches: [number, number][] = []
  let firstSequence = 1
  for (;;) {
    const stretch = await nextStretch({ firstSequence, lastSequence, read: reader(messages) })
    if (!stretch) return { stretches, uncovered: firstSequence }
    expect(stretch.firstSequence).toBe(firstSequence)
    expect(stretch.excerpts.length).toBeGreaterThan(0)
    stretches.push([stretch.firstSequence, stretch.lastSequence])
    firstSequence = stretch.lastSequence + 1
  }
}

const long = 'x'.repeat(9) + ' '
/** 500 characters. */
const full = long.repeat(50).trimEnd().padEnd(500, 'y')

describe('nextStretch', () => {
  it.each([
    ['2 user turns, 40 words', [words(20), words(10), words(10)], true],
    ['2 user turns, 39 words', [words(20), words(10), words(9)], false],
    ['1 user turn, 100 words', [words(50), words(50)], false],
    ['nothing', [], false],
  ])('%s: %j is enough: %s', async (_what, contents, enough) => {
    const messages = contents.map((content, index) => message(index + 1, content))
    const { stretches } = await stretchesOf(messages)
    expect(stretches).toEqual(enough ? [[1, messages.length]] : [])
  })

  it('counts words of Chinese conversations', async () => {
    const line = '我们明天一起去北京看望老朋友然后吃晚饭再回来'
    const messages = [1, 2, 3, 4, 5].map((sequence) => message(sequence, line))
    expect((await stretchesOf(messages)).stretches).toEqual([[1, 5]])
  })

  it('counts neither injected text nor what tools say', async () => {
    const messages = [
      message(1, words(5)),
      message(2, words(60), { role: 'tool' }),
      message(3, words(60), { origin: 'injected' }),
      message(4, words(60), { role: 'user', origin: 'system' }),
      message(5, words(5)),
    ]
    expect((await stretchesOf(messages)).stretches).toEqual([])
  })

  it('cuts where the excerpts fill 8,000 characters, and goes on behind', async () => {
    const messages = Array.from({ length: 40 }, (_, index) => message(index + 1, full))
    expect(await stretchesOf(messages)).toEqual({
      stretches: [
        [1, 16],
        [17, 32],
        [33, 40],
      ],
      uncovered: 41,
    })
  })

  it('takes in a short rest of too little content', async () => {
    const messages = Array.from({ length: 17 }, (_, index) => message(index + 1, full))
    expect((await stretchesOf(messages)).stretches).toEqual([[1, 17]])
  })

  it('lets a long rest with one user turn wait for the next one', async () => {
    const messages = Array.from({ length: 22 }, (_, index) =>
      message(index + 1, full, index > 16 ? { role: 'assistant' } : {}),
    )
    expect(await stretchesOf(messages)).toEqual({ stretches: [[1, 16]], uncovered: 17 })
    const more = [...messages, message(23, full)]
    expect((await stretchesOf(more)).stretches).toEqual([
      [1, 16],
      [17, 23],
    ])
  })

  it('never reads beyond the last sequence', async () => {
    const messages = Array.from({ length: 10 }, (_, index) => message(index + 1, words(30)))
    expect((await stretchesOf(messages, 7)).stretches).toEqual([[1, 7]])
  })

  it('makes one stretch of everything when asked to', async () => {
    const messages = Array.from({ length: 450 }, (_, index) => message(index + 1, full))
    const stretch = await nextStretch({
      firstSequence: 1,
      lastSequence: 450,
      read: reader(messages),
      whole: true,
    })
    expect(stretch).toMatchObject({ firstSequence: 1, lastSequence: 450 })
    expect(stretch?.excerpts).toHaveLength(450)
  })

  it('covers every message once, without a gap, and leaves only too little', async () => {
    const anyMessage = fc.record({
      size: fc.integer({ min: 0, max: 120 }),
      role: fc.constantFrom(...MESSAGE_ROLES),
      origin: fc.constantFrom<MessageOrigin[]>('conversation', 'conversation', 'injected'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(anyMessage, { maxLength: 80, size: 'max' }), async (given) => {
        const messages = given.map(({ size, role, origin }, index) =>
          message(index + 1, words(size), { role, origin }),
        )
        const { stretches, uncovered } = await stretchesOf(messages)
        let next = 1
        for (const [first, last] of stretches) {
          expect(first).toBe(next)
          expect(last).toBeGreaterThanOrEqual(first)
          next = last + 1
        }
        expect(uncovered).toBe(next)
        const rest = messages
          .slice(uncovered - 1)
          .filter(
            ({ role, origin, content }) =>
              origin === 'conversation' && role === 'user' && content !== '',
          )
        const restWords = messages
          .slice(uncovered - 1)
          .filter(
            ({ role, origin }) => origin === 'conversation' && !['tool', 'system'].includes(role),
          )
          .reduce(
            (sum, { content }) =>
              sum + (typeof content === 'string' ? content : '').split(' ').filter(Boolean).length,
            0,
          )
        expect(rest.length < 2 || restWords < 40).toBe(true)
      }),
      { numRuns: 60 },
    )
  })
})
