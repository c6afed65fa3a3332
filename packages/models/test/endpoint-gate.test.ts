import { setTimeout as sleep } from 'node:timers/promises'
import { ModelError } from '@loam/core'
import { afterEach, describe, expect, it } from 'vitest'
import { createOpenAiChatModel, type OpenAiChatModelOptions } from '../src/index.js'
import { startModelServer, type ModelReply, type ModelServer } from '../src/testing/index.js'
import { context } from './call-context.js'

const servers: ModelServer[] = []

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

/** A server that answers when told to, a model in front of it, and how many requests it has at once. */
async function start(
  options: Partial<OpenAiChatModelOptions> = {},
  first: readonly ModelReply[] = [],
) {
  const held: (() => void)[] = []
  const receivedAt: number[] = []
  let most = 0
  let inHand = 0
  const server = await startModelServer({
    chat: async ({ index }) => {
      receivedAt.push(performance.now())
      const reply = first[index]
      if (reply !== undefined) return reply
      inHand += 1
      most = Math.max(most, inHand)
      await new Promise<void>((resolve) => {
        held.push(resolve)
      })
      inHand -= 1
      return 'Hi'
    },
  })
  servers.push(server)
  const model = createOpenAiChatModel({
    baseUrl: server.baseUrl,
    model: 'test-model',
    maxRetries: 0,
    ...options,
  })
  const messages = [{ role: 'user' as const, content: 'Hello' }]
  return {
    server,
    most: () => most,
    receivedAt,
    chat: ({ signal, timeoutMs = 60_000 }: { signal?: AbortSignal; timeoutMs?: number } = {}) =>
      model.chat({ messages, timeoutMs }, { ...context, signal }),
    /** Waits until the server has so many requests in all. */
    received: (count: number) =>
      expect.poll(() => server.count('chat'), { interval: 5 }).toBe(count),
    /** Answers whatever comes, until the calls have ended. */
    answerUntil: async (calls: readonly Promise<unknown>[]) => {
      const answering = setInterval(() => held.splice(0).forEach((answer) => answer()), 5)
      const outcomes = await Promise.allSettled(calls)
      clearInterval(answering)
      return outcomes
    },
    answerOne: () => held.shift()?.(),
  }
}

describe('a model', () => {
  it.each([
    [{}, 8],
    [{ maxConcurrency: 3 }, 3],
  ])('with %j sends %i requests at once, and the others in turn', async (options, expected) => {
    const { chat, received, most, answerUntil, server } = await start(options)
    const calls = Array.from({ length: 20 }, () => chat())
    await received(expected)
    const outcomes = await answerUntil(calls)
    expect(outcomes.every(({ status }) => status === 'fulfilled')).toBe(true)
    expect(most()).toBe(expected)
    expect(server.count('chat')).toBe(20)
  })

  it('does not count the wait for a place as time of the call', async () => {
    const { chat, received, answerOne, answerUntil } = await start({ maxConcurrency: 1 })
    const first = chat()
    await received(1)
    const second = chat({ timeoutMs: 1_000 })
    await sleep(1_200)
    answerOne()
    await answerUntil([first, second])
    expect((await second).text).toBe('Hi')
  })

  it('still holds a call to its time when it has its place', async () => {
    const { chat, received, answerOne } = await start({ maxConcurrency: 1 })
    const first = chat()
    await received(1)
    const second = chat({ timeoutMs: 100 })
    answerOne()
    await first
    await expect(second).rejects.toMatchObject({ reason: 'timeout' })
  })

  it('lets whoever waits for a place give up, and gives the place to the next', async () => {
    const { chat, received, answerUntil, answerOne, server } = await start({ maxConcurrency: 1 })
    const first = chat()
    await received(1)
    const controller = new AbortController()
    const second = chat({ signal: controller.signal })
    const third = chat()
    const reason = new Error('the user left')
    controller.abort(reason)
    await expect(second).rejects.toBe(reason)
    expect(server.count('chat')).toBe(1)
    answerOne()
    await answerUntil([first, third])
    expect((await third).text).toBe('Hi')
    expect(server.count('chat')).toBe(2)
  })

  it('gives the place to others while a failed call backs off', async () => {
    // Says nothing of waiting, so that only this call waits: half a second.
    const options = { maxConcurrency: 1, maxRetries: 1 }
    const { chat, received, answerOne, answerUntil } = await start(options, [{ status: 500 }])
    const failed = chat()
    await received(1)
    const other = chat()
    await received(2)
    answerOne()
    await other
    await answerUntil([failed])
    expect((await failed).text).toBe('Hi')
  })
})

/** An answer that asks for a pause. */
const pause = (ms: number, status = 429) => ({
  status,
  headers: { 'retry-after-ms': String(ms) },
})

describe('a pause that the endpoint asks for', () => {
  it.each([429, 503])('with %i holds back the calls that it was not told to', async (status) => {
    const { chat, answerUntil, receivedAt } = await start({}, [pause(300, status)])
    await expect(chat()).rejects.toMatchObject({ retryAfterMs: 300 })
    await answerUntil([chat(), chat()])
    const [told = 0, ...others] = receivedAt
    expect(others).toHaveLength(2)
    // A timer may come a moment early.
    expect(Math.min(...others) - told).toBeGreaterThan(290)
  })

  it('holds back also those that wait for a place already', async () => {
    const options = { maxConcurrency: 1 }
    const { chat, answerUntil, receivedAt } = await start(options, [pause(300)])
    const [first] = await answerUntil([chat(), chat()])
    expect(first?.status).toBe('rejected')
    const [told = 0, other = 0] = receivedAt
    expect(other - told).toBeGreaterThan(290)
  })

  it('fails calls at once that may not take so long, and says when to come again', async () => {
    const { chat, server } = await start({}, [pause(60_000)])
    await expect(chat()).rejects.toMatchObject({ retryAfterMs: 60_000 })
    const error: unknown = await chat({ timeoutMs: 1_000 }).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ reason: 'rate_limited', retryable: true })
    expect((error as ModelError).retryAfterMs).toBeGreaterThan(50_000)
    expect((error as ModelError).retryAfterMs).toBeLessThanOrEqual(60_000)
    expect((error as ModelError).message).toContain('pause')
    expect(server.count('chat')).toBe(1)
  })

  it('lasts no longer than five minutes for the others, whatever was asked', async () => {
    const { chat } = await start({}, [pause(86_400_000)])
    await expect(chat()).rejects.toMatchObject({ retryAfterMs: 86_400_000 })
    const error: unknown = await chat({ timeoutMs: 1_000 }).catch((reason: unknown) => reason)
    expect((error as ModelError).retryAfterMs).toBeLessThanOrEqual(300_000)
  })

  it('can be left by whoever gives up', async () => {
    const { chat } = await start({}, [pause(60_000)])
    await expect(chat()).rejects.toThrow(ModelError)
    const reason = new Error('the user left')
    const controller = new AbortController()
    const waiting = chat({ signal: controller.signal })
    controller.abort(reason)
    await expect(waiting).rejects.toBe(reason)
  })
})
