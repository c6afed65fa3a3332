import { LoamError, ModelError, ModelOutputError } from '@loam/core'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createOpenAiChatModel } from '../src/index.js'
import {
  startModelServer,
  type ModelReply,
  type ModelServer,
  type ModelServerRequest,
} from '../src/testing/index.js'
import { context } from './call-context.js'

const messages = [{ role: 'user' as const, content: 'Who was it?' }]
const schema = z.object({ name: z.string(), age: z.number().int().optional() })
const servers: ModelServer[] = []

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

async function start(chat: (request: ModelServerRequest) => ModelReply) {
  const server = await startModelServer({ chat })
  servers.push(server)
  const model = createOpenAiChatModel({
    baseUrl: server.baseUrl,
    apiKey: 'sk-test',
    model: 'test-model',
    maxRetries: 0,
  })
  const ask = () => model.chatObject({ messages, schema, schemaName: 'person' }, context)
  return { server, model, ask, bodies: () => server.requests.map(({ body }) => body) }
}

/** Text of the messages in a request. */
function promptOf(body: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(body.messages)
}

describe('chat', () => {
  it('sends the request and reads the answer', async () => {
    const { model, bodies } = await start(() => 'It was Ada.')
    const result = await model.chat({ messages, maxOutputTokens: 50, temperature: 0.2 }, context)
    expect(result).toEqual({
      text: 'It was Ada.',
      finishReason: 'stop',
      usage: { inputTokens: 10, outputTokens: 5 },
    })
    expect(bodies()).toEqual([{ model: 'test-model', messages, max_tokens: 50, temperature: 0.2 }])
  })

  it('sends nothing that was not asked for', async () => {
    const { model, bodies } = await start(() => 'It was Ada.')
    await model.chat({ messages }, context)
    expect(bodies()).toEqual([{ model: 'test-model', messages }])
  })

  it.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['content_filter', 'content_filter'],
    ['tool_calls', 'other'],
    ['constructor', 'other'],
  ])('reads the finish reason %s as %s', async (finishReason, expected) => {
    const { model } = await start(() => ({ text: 'It', finishReason }))
    expect((await model.chat({ messages }, context)).finishReason).toBe(expected)
  })

  it('takes an answer without content or usage', async () => {
    const { model } = await start(() => ({ text: null, usage: null }))
    expect(await model.chat({ messages }, context)).toEqual({ text: '', finishReason: 'stop' })
  })

  it('takes the time limit of the request', async () => {
    const { model } = await start(() => ({ hang: true }))
    await expect(model.chat({ messages, timeoutMs: 30 }, context)).rejects.toThrow('30 ms')
  })

  it('says max_completion_tokens to an endpoint that wants it, and remembers', async () => {
    const { model, bodies } = await start(({ body }) =>
      'max_tokens' in body
        ? {
            status: 400,
            error: { message: "Unsupported 'max_tokens'. Use 'max_completion_tokens' instead." },
          }
        : 'Ada',
    )
    const request = { messages, maxOutputTokens: 9 }
    expect((await model.chat(request, context)).text).toBe('Ada')
    expect((await model.chat(request, context)).text).toBe('Ada')
    expect(bodies().map((body) => body.max_completion_tokens)).toEqual([undefined, 9, 9])
  })

  it('leaves the temperature to a model that allows only its own', async () => {
    const { model, bodies } = await start(({ body }) =>
      'temperature' in body
        ? { status: 400, error: { message: "'temperature' does not support 0 with this model." } }
        : 'Ada',
    )
    expect((await model.chat({ messages, temperature: 0 }, context)).text).toBe('Ada')
    expect(bodies()).toHaveLength(2)
  })

  it('does not repeat a request that is refused for another reason', async () => {
    const { model, bodies } = await start(() => ({ status: 400, error: { message: 'too long' } }))
    const request = { messages, temperature: 0, maxOutputTokens: 9 }
    await expect(model.chat(request, context)).rejects.toThrow('too long')
    expect(bodies()).toHaveLength(1)
  })
})

describe('chatObject', () => {
  it('asks for the schema and returns its value', async () => {
    const { ask, bodies } = await start(() => '{"name":"Ada","age":36}')
    expect(await ask()).toEqual({ name: 'Ada', age: 36 })
    expect(bodies()).toHaveLength(1)
    expect(bodies()[0]).toMatchObject({
      messages,
      response_format: {
        type: 'json_schema',
        json_schema: {
          name: 'person',
          schema: {
            type: 'object',
            properties: { name: { type: 'string' }, age: { type: 'integer' } },
            required: ['name'],
          },
        },
      },
    })
  })

  it.each([
    ['a fence', '```json\n{"name": "Ada"}\n```'],
    ['prose around', 'Sure! Here it is: {"name": "Ada"} Anything else?'],
    ['braces in the prose before (mem0 #5998)', 'The set {a, b} is empty. {"name": "Ada"}'],
    ['other JSON before', '{"thought": "it was Ada"}\n{"name": "Ada"}'],
    ['a trailing comma', '{"name": "Ada",}'],
  ])('reads an answer with %s without asking again', async (_, reply) => {
    const { ask, bodies } = await start(() => reply)
    expect(await ask()).toEqual({ name: 'Ada' })
    expect(bodies()).toHaveLength(1)
  })

  it('applies what the schema does to the value', async () => {
    const { model } = await start(() => '{"name":" Ada "}')
    const trimmed = z.object({ name: z.string().trim(), tags: z.array(z.string()).default([]) })
    const request = { messages, schema: trimmed, schemaName: 'trimmed' }
    expect(await model.chatObject(request, context)).toEqual({ name: 'Ada', tags: [] })
  })

  it.each([
    ['does not fit', '{"name": 7}', 'name: '],
    ['is not JSON', 'It was Ada.', 'no complete JSON'],
    ['is cut off', '{"name": "Ad', 'no complete JSON'],
    ['is empty', '', 'no complete JSON'],
  ])('shows the model its answer when it %s, and takes the repaired one', async (_, bad, fault) => {
    const { ask, bodies } = await start(({ index }) => (index === 0 ? bad : '{"name":"Ada"}'))
    expect(await ask()).toEqual({ name: 'Ada' })
    const repair = bodies()[1]!.messages as { role: string; content: string }[]
    expect(repair.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    expect(repair[1]!.content).toBe(bad || '(nothing)')
    expect(repair[2]!.content).toContain(fault)
  })

  it('gives up after one repair, and says what was wrong', async () => {
    const { ask, bodies } = await start(() => '{"name": 7}')
    const error: unknown = await ask().catch((reason: unknown) => reason)
    expect(ModelOutputError.isInstance(error)).toBe(true)
    expect(error).toMatchObject({
      message: expect.stringContaining('person') as string,
      details: { schemaName: 'person', issues: [{ path: 'name' }] },
      retryable: false,
    })
    expect((error as ModelOutputError).reply).toBe('{"name": 7}')
    expect(bodies()).toHaveLength(2)
  })

  it.each(['length', 'content_filter'])('refuses an answer that ended for %s', async (reason) => {
    const { ask, bodies } = await start(() => ({ text: '{"name":"Ada"}', finishReason: reason }))
    await expect(ask()).rejects.toThrow(ModelOutputError)
    expect(bodies()).toHaveLength(1)
  })

  it('puts the schema into the prompt where response_format is refused, and remembers', async () => {
    const { ask, bodies } = await start(({ body }) =>
      'response_format' in body
        ? { status: 400, error: { message: 'response_format is not supported' } }
        : '{"name":"Ada"}',
    )
    expect(await ask()).toEqual({ name: 'Ada' })
    expect(await ask()).toEqual({ name: 'Ada' })
    expect(bodies().map((body) => 'response_format' in body)).toEqual([true, false, false])
    expect(promptOf(bodies()[1]!)).toContain('JSON Schema')
    expect(promptOf(bodies()[1]!)).toContain('Who was it?')
  })

  it('adds the schema to the system message that there is', async () => {
    const { model, bodies } = await start(({ body }) =>
      'response_format' in body ? { status: 422 } : '{"name":"Ada"}',
    )
    const withSystem = [{ role: 'system' as const, content: 'Be brief.' }, ...messages]
    await model.chatObject({ messages: withSystem, schema, schemaName: 'person' }, context)
    const sent = bodies()[1]!.messages as { role: string; content: string }[]
    expect(sent.map(({ role }) => role)).toEqual(['system', 'user'])
    expect(sent[0]!.content).toMatch(/^Be brief\.\n\n.*JSON Schema/s)
  })

  it('does not ask otherwise for what is too long', async () => {
    const { ask, bodies } = await start(() => ({
      status: 400,
      error: { message: "This model's maximum context length is 8192 tokens." },
    }))
    await expect(ask()).rejects.toMatchObject({ reason: 'too_large' })
    expect(bodies()).toHaveLength(1)
  })

  it('fails as the endpoint says when the request itself is refused', async () => {
    const { ask, bodies } = await start(() => ({ status: 400, error: { message: 'too long' } }))
    await expect(ask()).rejects.toThrow(/too long/)
    await expect(ask()).rejects.toThrow(ModelError)
    // The refusal said nothing about the format, so that it is asked for again.
    expect(bodies().map((body) => 'response_format' in body)).toEqual([true, false, true, false])
  })

  it('holds the whole exchange to one time limit', async () => {
    const { model } = await start(({ index }) => (index === 0 ? 'no JSON' : { hang: true }))
    const request = { messages, schema, schemaName: 'person', timeoutMs: 100 }
    await expect(model.chatObject(request, context)).rejects.toThrow('100 ms')
  })
})

const usage = (prompt_tokens: number, completion_tokens: number) => ({
  prompt_tokens,
  completion_tokens,
})

/** A chat model in front of a server that gives the replies in turn, and what was told of their cost. */
async function startTold(replies: ModelReply[]) {
  const { model } = await start(({ index }) => replies[Math.min(index, replies.length - 1)]!)
  const told: unknown[] = []
  const heard = { ...context, onUsage: (cost: unknown) => told.push(cost) }
  const request = { messages, schema, schemaName: 'person' }
  return {
    told,
    chat: (timeoutMs = 30_000) => model.chat({ messages, timeoutMs }, heard),
    chatObject: () => model.chatObject(request, heard),
  }
}

describe('onUsage', () => {
  it('is told what an answer cost', async () => {
    const { told, chat } = await startTold([{ text: 'Ada', usage: usage(7, 2) }])
    await chat()
    expect(told).toEqual([{ inputTokens: 7, outputTokens: 2 }])
  })

  it('is told of the answer that does not fit, and of its repair', async () => {
    const { told, chatObject } = await startTold([
      { text: 'no JSON', usage: usage(10, 3) },
      { text: '{"name": 7}', usage: usage(20, 4) },
    ])
    await expect(chatObject()).rejects.toThrow(ModelOutputError)
    expect(told).toEqual([
      { inputTokens: 10, outputTokens: 3 },
      { inputTokens: 20, outputTokens: 4 },
    ])
  })

  it.each([
    ['is withheld', { text: 'x', finishReason: 'content_filter', usage: usage(1, 2) }],
    [
      'is cut off at the limit of tokens',
      { text: 'x', finishReason: 'length', usage: usage(1, 2) },
    ],
    ['is no completion', { raw: '{"usage":{"prompt_tokens":1,"completion_tokens":2}}' }],
  ])('is told of an answer that %s', async (_, reply) => {
    const { told, chatObject } = await startTold([reply])
    await expect(chatObject()).rejects.toSatisfy((error) => LoamError.isInstance(error))
    expect(told).toEqual([{ inputTokens: 1, outputTokens: 2 }])
  })

  it.each([
    ['says nothing', { text: 'Ada', usage: null }],
    ['says half of it (honcho #809)', rawAnswer({ prompt_tokens: 7 })],
    ['says nonsense', rawAnswer({ prompt_tokens: 'many', completion_tokens: -1 })],
    ['says fractions', rawAnswer({ prompt_tokens: 7.5, completion_tokens: 2 })],
  ])('is told that nobody knows when the endpoint %s', async (_, reply) => {
    const { told, chat } = await startTold([reply])
    const result = await chat()
    expect(result.text).toBe('Ada')
    expect(result.usage).toBeUndefined()
    expect(told).toEqual([undefined])
  })

  it('works out what is missing from the total', async () => {
    const { told, chat } = await startTold([rawAnswer({ prompt_tokens: 7, total_tokens: 9 })])
    await chat()
    expect(told).toEqual([{ inputTokens: 7, outputTokens: 2 }])
  })

  it.each([
    ['hangs', { hang: true }, 200],
    ['breaks off', { cut: true }, undefined],
    ['writes malformed JSON', { raw: '{' }, undefined],
  ] as const)('is told that nobody knows when the endpoint %s', async (_, reply, timeoutMs) => {
    const { told, chat } = await startTold([reply])
    await expect(chat(timeoutMs)).rejects.toThrow(ModelError)
    expect(told).toEqual([undefined])
  })

  it.each([400, 401, 402, 429, 500])(
    'is told nothing of an answer with status %i',
    async (status) => {
      const { told, chat } = await startTold([{ status }])
      await expect(chat()).rejects.toThrow(ModelError)
      expect(told).toEqual([])
    },
  )
})

function rawAnswer(cost: Readonly<Record<string, unknown>>): ModelReply {
  const choices = [{ message: { content: 'Ada' } }]
  return { raw: JSON.stringify({ choices, usage: cost }) }
}
