import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { ConfigurationError, ModelError } from '@loam/core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createOpenAiChatModel, type OpenAiChatModelOptions } from '../src/index.js'
import { startModelServer, type ModelReply, type ModelServer } from '../src/testing/index.js'
import { context } from './call-context.js'

const API_KEY = 'sk-test-0123456789'
const messages = [{ role: 'user' as const, content: 'Hello' }]
const servers: ModelServer[] = []

afterEach(async () => {
  vi.unstubAllEnvs()
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

/** A chat model in front of a server that gives the replies in turn, and the last one from then on. */
async function modelThatGets(replies: ModelReply[], options: Partial<OpenAiChatModelOptions> = {}) {
  const server = await startModelServer({
    chat: ({ index }) => replies[Math.min(index, replies.length - 1)]!,
  })
  servers.push(server)
  const model = createOpenAiChatModel({
    baseUrl: server.baseUrl,
    apiKey: API_KEY,
    model: 'test-model',
    maxRetries: 0,
    ...options,
  })
  return {
    server,
    chat: (signal?: AbortSignal) => model.chat({ messages }, { ...context, signal }),
  }
}

async function failureOf(promise: Promise<unknown>): Promise<ModelError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!ModelError.isInstance(error)) throw new Error('expected a ModelError', { cause: error })
  return error
}

describe('a call that an endpoint refuses', () => {
  it.each([
    [400, 'refused', false],
    [401, 'unauthorized', false],
    [402, 'quota_exceeded', true],
    [403, 'unauthorized', false],
    [404, 'not_found', false],
    [408, 'unavailable', true],
    [409, 'unavailable', true],
    [413, 'too_large', false],
    [422, 'refused', false],
    [429, 'rate_limited', true],
    [500, 'unavailable', true],
    [502, 'unavailable', true],
    [503, 'unavailable', true],
  ])('with status %i fails as %s, which may pass: %s', async (status, reason, retryable) => {
    const { chat } = await modelThatGets([{ status, error: { message: 'because' } }])
    const error = await failureOf(chat())
    expect(error).toMatchObject({ reason, retryable })
    expect(error.details).toMatchObject({ status, reason, model: 'test-model' })
    expect(error.message).toContain(`status ${status}: because.`)
  })

  it.each([
    [
      'OpenAI',
      400,
      "This model's maximum context length is 8192 tokens, however you requested 9000",
    ],
    ['OpenAI', 429, 'Request too large for gpt-4o on tokens per min: Limit 30000, Requested 45000'],
    ['llama.cpp', 500, 'input is too large to process. increase the physical batch size'],
    ['Ollama', 400, 'the input length exceeds the context length'],
    ['TEI', 413, 'inputs must have less than 512 tokens. Given: 700'],
  ])('knows that %s means a text that is too long by %i "%s"', async (_, status, message) => {
    const { chat, server } = await modelThatGets([{ status, error: { message } }], {
      maxRetries: 2,
    })
    expect(await failureOf(chat())).toMatchObject({ reason: 'too_large', retryable: false })
    expect(server.count('chat')).toBe(1)
  })

  it.each(['insufficient_quota', 'billing_hard_limit_reached'])(
    'for %s is put off by an hour and not repeated at once, though its status is 429',
    async (code) => {
      const { chat, server } = await modelThatGets(
        [{ status: 429, error: { message: 'You exceeded your quota', code } }],
        { maxRetries: 2 },
      )
      const error = await failureOf(chat())
      expect(error).toMatchObject({
        reason: 'quota_exceeded',
        retryable: true,
        retryAfterMs: 3_600_000,
        details: { providerCode: code },
      })
      expect(error.message).toContain("The account's quota is used up")
      expect(server.count('chat')).toBe(1)
      // Another call is sent all the same: somebody may have paid meanwhile.
      await failureOf(chat())
      expect(server.count('chat')).toBe(2)
    },
  )

  it('for a used-up quota is put off for as long as the provider says', async () => {
    const error = { message: 'No credit', type: 'insufficient_quota' }
    const headers = { 'retry-after': '60' }
    const { chat } = await modelThatGets([{ status: 403, error, headers }])
    expect(await failureOf(chat())).toMatchObject({
      reason: 'quota_exceeded',
      retryAfterMs: 60_000,
    })
  })

  it('shows the key neither in its message, its details nor its cause', async () => {
    const { chat } = await modelThatGets([
      { status: 401, error: { message: `Incorrect key: ${API_KEY}`, code: API_KEY } },
    ])
    const error = await failureOf(chat())
    expect(error.message).toContain('Incorrect key: [key]')
    const shown = `${error.stack} ${JSON.stringify(error.details)} ${String(error.cause)}`
    expect(shown).not.toContain(API_KEY)
  })

  it('quotes no more than a line of what the endpoint wrote', async () => {
    const { chat } = await modelThatGets([
      { status: 500, error: { message: `first\nsecond ${'x'.repeat(5000)}` } },
    ])
    const { message } = await failureOf(chat())
    expect(message).toContain('first second xxx')
    expect(message.length).toBeLessThan(600)
  })
})

describe('a call that gets no answer', () => {
  it('is retryable when nothing listens', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => {
      server.once('listening', resolve)
    })
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => {
      server.close(resolve)
    })
    const { chat } = await modelThatGets([''], { baseUrl: `http://127.0.0.1:${port}/v1` })
    const error = await failureOf(chat())
    expect(error).toMatchObject({ reason: 'unreachable', retryable: true })
    expect(error.message).toContain('could not be reached')
    expect(error.message).toContain('ECONNREFUSED')
  })

  it.each([
    ['hangs', { hang: true }],
    ['is late', { text: 'too late', delayMs: 2000 }],
  ] as const)('is retryable when the endpoint %s', async (_, reply) => {
    const { chat } = await modelThatGets([reply], { timeoutMs: 50 })
    const error = await failureOf(chat())
    expect(error).toMatchObject({ reason: 'timeout', retryable: true })
    expect(error.message).toContain('did not answer within 50 ms')
  })

  it.each([
    ['cuts its answer off', { cut: true }, 'interrupted', 'broke the connection off'],
    ['cuts a chunked answer off', { cut: 'chunked' }, 'interrupted', 'broke the connection off'],
    ['writes malformed JSON', { raw: '{"choices": [' }, 'malformed', 'malformed JSON'],
  ] as const)('is retryable when the endpoint %s', async (_, reply, reason, message) => {
    const { chat } = await modelThatGets([reply])
    const error = await failureOf(chat())
    expect(error).toMatchObject({ reason, retryable: true })
    expect(error.message).toContain(message)
  })

  it('quotes nothing of an answer that it cannot read', async () => {
    const { chat } = await modelThatGets([{ raw: 'dear diary' }])
    expect(inspect(await failureOf(chat()), { depth: null })).not.toContain('diary')
  })

  it.each([
    ['a web page', { raw: '<html>Welcome</html>', contentType: 'text/html' }],
    ['other JSON', { raw: '{"ok":true}' }],
    ['no choice', { raw: '{"choices":[]}' }],
  ])('is not retryable when the endpoint answers with %s', async (_, reply) => {
    const { chat } = await modelThatGets([reply])
    const error = await failureOf(chat())
    expect(error).toMatchObject({ reason: 'malformed', retryable: false })
    expect(error.message).toContain('Check that the base URL')
  })
})

describe('retries', () => {
  it('repeat a call until it succeeds, as soon as the endpoint allows', async () => {
    const busy = { status: 429, headers: { 'retry-after-ms': '1' } }
    const { chat, server } = await modelThatGets([busy, busy, 'Hi'], { maxRetries: 2 })
    expect((await chat()).text).toBe('Hi')
    expect(server.requests).toHaveLength(3)
  })

  it('repeat a call after a failure that says nothing of waiting', async () => {
    const { chat, server } = await modelThatGets([{ cut: true }, 'Hi'], { maxRetries: 1 })
    expect((await chat()).text).toBe('Hi')
    expect(server.requests).toHaveLength(2)
  })

  it('end with the last failure', async () => {
    const failure = { status: 503, headers: { 'retry-after': '0' } }
    const { chat, server } = await modelThatGets([failure], { maxRetries: 3 })
    expect((await failureOf(chat())).details.status).toBe(503)
    expect(server.requests).toHaveLength(4)
  })

  it('do not wait for longer than the call may take', async () => {
    const { chat, server } = await modelThatGets(
      [{ status: 429, headers: { 'retry-after': '3600' } }],
      { maxRetries: 2 },
    )
    const error = await failureOf(chat())
    expect(error.details).toMatchObject({ status: 429, retryAfterMs: 3_600_000 })
    expect(server.requests).toHaveLength(1)
  })

  it('read a date in Retry-After', async () => {
    const date = new Date(Date.now() + 7_200_000).toUTCString()
    const { chat } = await modelThatGets([{ status: 503, headers: { 'retry-after': date } }])
    const { retryAfterMs } = await failureOf(chat())
    expect(retryAfterMs).toBeGreaterThan(7_000_000)
    expect(retryAfterMs).toBeLessThanOrEqual(7_200_000)
  })

  it.each([
    ['0.5', 500],
    ['-5', undefined],
    ['soon', undefined],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['99999999999', 86_400_000],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 86_400_000],
  ])('read the Retry-After %j as %j ms', async (value, expected) => {
    const { chat } = await modelThatGets([{ status: 429, headers: { 'retry-after': value } }])
    expect((await failureOf(chat())).retryAfterMs).toBe(expected)
  })
})

describe('an aborted call', () => {
  it('is not sent when the signal is aborted already', async () => {
    const { chat, server } = await modelThatGets(['Hi'])
    const reason = new Error('the user left')
    await expect(chat(AbortSignal.abort(reason))).rejects.toBe(reason)
    expect(server.requests).toHaveLength(0)
  })

  it.each([
    ['the endpoint hangs', { hang: true }],
    ['a retry is waited for', { status: 429, headers: { 'retry-after': '30' } }],
  ] as const)('ends at once with the reason while %s', async (_, reply) => {
    const controller = new AbortController()
    const reason = new Error('the user left')
    const server = await startModelServer({
      chat: () => {
        setTimeout(() => controller.abort(reason), 20)
        return reply
      },
    })
    servers.push(server)
    const { chat } = await modelThatGets([''], { baseUrl: server.baseUrl, maxRetries: 2 })
    await expect(chat(controller.signal)).rejects.toBe(reason)
  })
})

describe('what is sent', () => {
  it('carries the key as a bearer token', async () => {
    const { chat, server } = await modelThatGets(['Hi'])
    await chat()
    expect(server.requests[0]!.headers.authorization).toBe(`Bearer ${API_KEY}`)
  })

  it('carries no credentials of another endpoint from the environment', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'sk-environment')
    vi.stubEnv('OPENAI_CUSTOM_HEADERS', 'Authorization: Bearer sk-environment')
    vi.stubEnv('OPENAI_ORG_ID', 'org-environment')
    vi.stubEnv('OPENAI_PROJECT_ID', 'project-environment')
    const { chat, server } = await modelThatGets(['Hi'], { apiKey: undefined })
    await chat()
    expect(server.requests[0]!.headers.authorization).toBeUndefined()
    expect(JSON.stringify(server.requests[0]!.headers)).not.toContain('environment')
  })

  it('goes through the fetch that was given', async () => {
    const seen: string[] = []
    const { chat, server } = await modelThatGets(['Hi'], {
      fetch: (input, init) => {
        seen.push(input instanceof Request ? input.url : String(input))
        return fetch(input, init)
      },
    })
    await chat()
    expect(seen).toEqual([`${server.baseUrl}/chat/completions`])
  })
})

describe('options', () => {
  it.each([
    [{ baseUrl: 'api.openai.com/v1' }, 'baseUrl'],
    [{ baseUrl: 'file:///etc/passwd' }, 'baseUrl'],
    [{ baseUrl: 'https://user:secret@host/v1' }, 'baseUrl'],
    [{ model: ' ' }, 'model'],
    [{ timeoutMs: 0 }, 'timeoutMs'],
    [{ timeoutMs: Number.NaN }, 'timeoutMs'],
    [{ timeoutMs: 2 ** 31 }, 'timeoutMs'],
    [{ maxRetries: -1 }, 'maxRetries'],
    [{ maxRetries: 1.5 }, 'maxRetries'],
    [{ maxConcurrency: 0 }, 'maxConcurrency'],
    [{ maxConcurrency: 1.5 }, 'maxConcurrency'],
  ])('%j are refused, naming %s', (wrong, path) => {
    const create = () => createOpenAiChatModel({ baseUrl: 'http://host/v1', model: 'm', ...wrong })
    expect(create).toThrow(ConfigurationError)
    expect(create).toThrow(path)
    expect(create).not.toThrow('secret')
  })
})
