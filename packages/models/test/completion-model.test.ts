import { ModelError, type CompletionModel } from '@loam/core'
import { describe, expect, it } from 'vitest'
import { createOpenAiCompletionModel, type OpenAiCompletionModelOptions } from '../src/index.js'
import {
  MODEL_FAULTS,
  startModelServer,
  type ModelFaultName,
  type ModelServerOptions,
} from '../src/testing/index.js'
import { context } from './call-context.js'

const messages = [{ role: 'user', content: 'Hello' }]
const half = `data: ${JSON.stringify({ choices: [{ delta: { content: 'Half' } }] })}\n\n`
const CALLS = [
  { id: 'a', name: 'memory_search', arguments: '{"query":"Porto"}' },
  { id: 'b', name: 'read_file', arguments: '{}' },
]

async function withModel(
  chat: NonNullable<ModelServerOptions['chat']>,
  use: (
    model: CompletionModel,
    server: Awaited<ReturnType<typeof startModelServer>>,
  ) => Promise<void>,
  options: Partial<OpenAiCompletionModelOptions> = {},
): Promise<void> {
  await using server = await startModelServer({ chat })
  const model = createOpenAiCompletionModel({
    baseUrl: server.baseUrl,
    model: 'scripted',
    maxRetries: 0,
    ...options,
  })
  await use(model, server)
}

describe('a completion model', () => {
  it('tells its text as it comes, and what it cost', async () => {
    await withModel(
      () => 'Hello, how are you?',
      async (model) => {
        const parts: string[] = []
        const usages: unknown[] = []
        const result = await model.complete(
          { messages },
          {
            ...context,
            onText: (part) => parts.push(part),
            onUsage: (usage) => usages.push(usage),
          },
        )
        expect(result).toEqual({
          text: 'Hello, how are you?',
          toolCalls: [],
          finishReason: 'stop',
          usage: { inputTokens: 10, outputTokens: 5 },
        })
        expect(parts.length).toBeGreaterThan(2)
        expect(parts.join('')).toBe(result.text)
        expect(usages).toEqual([{ inputTokens: 10, outputTokens: 5 }])
      },
    )
  })

  it('gives the calls of tools whole, and passes on what it is asked with', async () => {
    await withModel(
      () => ({ text: 'Let me see.', toolCalls: CALLS }),
      async (model, server) => {
        const tools = [{ type: 'function', function: { name: 'memory_search' } }]
        const parameters = { temperature: 0.2, tool_choice: 'auto', model: 'another' }
        const result = await model.complete({ messages, tools, parameters }, context)
        expect(result).toMatchObject({
          text: 'Let me see.',
          toolCalls: CALLS,
          finishReason: 'tool_calls',
        })
        expect(server.requests[0]?.body).toMatchObject({
          model: 'scripted',
          stream: true,
          temperature: 0.2,
          tool_choice: 'auto',
          tools,
          messages,
        })
      },
    )
  })

  it('is not asked again for what an endpoint refuses to say', async () => {
    await withModel(
      ({ body }) =>
        body['stream_options'] === undefined
          ? 'Fine'
          : { status: 400, error: { message: 'Unknown parameter: stream_options' } },
      async (model, server) => {
        expect((await model.complete({ messages }, context)).text).toBe('Fine')
        expect((await model.complete({ messages }, context)).text).toBe('Fine')
        expect(server.count('chat')).toBe(3)
      },
    )
  })

  it('is tried again before the first word, and not after it', async () => {
    await withModel(
      ({ index }) => (index === 0 ? { status: 503 } : 'Whole'),
      async (model, server) => {
        expect((await model.complete({ messages }, context)).text).toBe('Whole')
        expect(server.count('chat')).toBe(2)
      },
      { maxRetries: 2 },
    )
    await withModel(
      ({ index }) => (index === 0 ? { raw: half, contentType: 'text/event-stream' } : 'Whole'),
      async (model, server) => {
        const parts: string[] = []
        const asked = model.complete(
          { messages },
          { ...context, onText: (part) => parts.push(part) },
        )
        await expect(asked).rejects.toMatchObject({ reason: 'interrupted', retryable: false })
        expect(parts).toEqual(['Half'])
        expect(server.count('chat')).toBe(1)
      },
      { maxRetries: 2 },
    )
  })

  const failing = [
    [{ message: 'boom' }, 'unavailable', 'boom'],
    [{ message: 'Too busy', code: 429 }, 'rate_limited', 'Too busy'],
    [{ message: 'No such model', code: 404 }, 'not_found', 'No such model'],
    [{ message: 'The context length is exceeded' }, 'too_large', 'context length'],
    [{ message: 'Pay', code: 'insufficient_quota' }, 'quota_exceeded', 'Pay'],
    ['boom', 'unavailable', 'boom'],
  ] as const
  it.each(failing)('fails by %j in its stream', async (error, reason, quoted) => {
    const event = `data: ${JSON.stringify({ error })}\n\n`
    for (const raw of [event, half + event]) {
      await withModel(
        () => ({ raw, contentType: 'text/event-stream' }),
        async (model) => {
          const failure = { code: 'model_failed', reason, message: expect.stringContaining(quoted) }
          await expect(model.complete({ messages }, context)).rejects.toMatchObject(failure)
        },
      )
    }
  })

  it('ends when it is told to, in the middle of an answer', async () => {
    await withModel(
      () => ({ hang: true }),
      async (model) => {
        const controller = new AbortController()
        const asked = model.complete({ messages }, { ...context, signal: controller.signal })
        setTimeout(() => controller.abort(new Error('gone')), 50)
        await expect(asked).rejects.toThrow('gone')
      },
    )
  })
})

const EXPECTED: Partial<Record<ModelFaultName, string | undefined>> = {
  rateLimit: 'rate_limited',
  rateLimitWithoutTime: 'rate_limited',
  quota: 'quota_exceeded',
  unauthorized: 'unauthorized',
  notFound: 'not_found',
  refusal: 'refused',
  serverError: 'unavailable',
  overload: 'unavailable',
  hang: 'timeout',
  cut: 'interrupted',
  cutChunked: 'interrupted',
  malformedBody: 'malformed',
  webPage: 'malformed',
}

describe('a completion model that errs', () => {
  const faults = (Object.keys(MODEL_FAULTS) as ModelFaultName[]).filter(
    (name) => 'chat' in MODEL_FAULTS[name],
  )

  it.each(faults)('%s', async (name) => {
    const fault = MODEL_FAULTS[name]
    const reply = 'chat' in fault ? fault.chat('A good answer.') : ''
    await withModel(
      () => reply,
      async (model) => {
        const [outcome] = await Promise.allSettled([model.complete({ messages }, context)])
        const failure = outcome.status === 'rejected' ? (outcome.reason as unknown) : undefined
        expect(ModelError.isInstance(failure) ? failure.reason : failure).toBe(EXPECTED[name])
      },
      { timeoutMs: name === 'hang' ? 300 : 10_000 },
    )
  })
})
