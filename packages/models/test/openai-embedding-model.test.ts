import { ConfigurationError, ModelError, ModelOutputError, VectorDimensionError } from '@loam/core'
import { afterEach, describe, expect, it } from 'vitest'
import {
  createOpenAiEmbeddingModel,
  probeDimensions,
  type OpenAiEmbeddingModelOptions,
} from '../src/index.js'
import {
  startModelServer,
  type ModelReply,
  type ModelServer,
  type ModelServerRequest,
} from '../src/testing/index.js'
import { context } from './call-context.js'
import { recordingLogger } from './recording-logger.js'

const servers: ModelServer[] = []

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

const inputsOf = ({ body }: ModelServerRequest) => body.input as string[]

/** The vector that the server gives for a text. */
const vectorOf = (text: string) => [text.length, 1]

async function start(
  embeddings: (request: ModelServerRequest) => ModelReply = (request) =>
    inputsOf(request).map(vectorOf),
  options: Partial<OpenAiEmbeddingModelOptions> = {},
) {
  const server = await startModelServer({ embeddings })
  servers.push(server)
  const target = { baseUrl: server.baseUrl, model: 'test-embed', maxRetries: 0 }
  const model = createOpenAiEmbeddingModel({ ...target, dimensions: 2, ...options })
  return { server, target, model, embed: (texts: string[]) => model.embed(texts, context) }
}

describe('embed', () => {
  it('declares a remote model that is trusted', async () => {
    const { model } = await start()
    expect(model).toMatchObject({
      provider: 'openai-compatible',
      model: 'test-embed',
      dimensions: 2,
      remote: true,
      trust: { vectorWeight: 0.7, minSimilarity: 0.2 },
    })
    expect(model.languages).toBeUndefined()
  })

  it('asks for plain numbers of the right length', async () => {
    const { embed, server } = await start()
    expect(await embed(['one', 'three'])).toEqual([vectorOf('one'), vectorOf('three')])
    expect(server.requests.map(({ body }) => body)).toEqual([
      { model: 'test-embed', input: ['one', 'three'], encoding_format: 'float', dimensions: 2 },
    ])
  })

  it('sends batches and keeps the order', async () => {
    const { embed, server } = await start(undefined, { batchSize: 2 })
    const texts = ['a', 'bb', 'ccc', 'dddd', 'eeeee']
    expect(await embed(texts)).toEqual(texts.map(vectorOf))
    expect(server.requests.map(inputsOf)).toEqual([['a', 'bb'], ['ccc', 'dddd'], ['eeeee']])
  })

  it('sends 64 texts at once unless told otherwise', async () => {
    const { embed, server } = await start()
    await embed(Array.from({ length: 65 }, (_, index) => `text ${index}`))
    expect(server.requests.map((request) => inputsOf(request).length)).toEqual([64, 1])
  })

  it('gives zeros for texts without a visible character, and does not send them', async () => {
    const { embed, server } = await start()
    expect(await embed(['', 'one', ' \n'])).toEqual([[0, 0], vectorOf('one'), [0, 0]])
    expect(server.requests.map(inputsOf)).toEqual([['one']])
    expect(await embed(['', ' '])).toEqual([
      [0, 0],
      [0, 0],
    ])
    expect(await embed([])).toEqual([])
    expect(server.requests).toHaveLength(1)
  })

  it('puts vectors that come in another order to their texts', async () => {
    const { embed } = await start(() => ({
      raw: JSON.stringify({
        data: [
          { index: 1, embedding: [5, 1] },
          { index: 0, embedding: [3, 1] },
        ],
      }),
    }))
    expect(await embed(['one', 'three'])).toEqual([vectorOf('one'), vectorOf('three')])
  })

  it('takes vectors without an index in their order', async () => {
    const { embed } = await start(() => ({
      raw: JSON.stringify({ data: [{ embedding: [3, 1] }, { embedding: [5, 1] }] }),
    }))
    expect(await embed(['one', 'three'])).toEqual([vectorOf('one'), vectorOf('three')])
  })

  it.each([
    ['too few vectors', [[1, 2]]],
    [
      'too many vectors',
      [
        [1, 2],
        [1, 2],
        [1, 2],
      ],
    ],
    [
      'one index twice',
      { raw: '{"data":[{"index":0,"embedding":[1,2]},{"index":0,"embedding":[1,2]}]}' },
    ],
  ])('refuses %s', async (_, reply) => {
    const { embed } = await start(() => reply)
    await expect(embed(['one', 'three'])).rejects.toThrow(ModelOutputError)
  })

  it.each([
    ['a number that is none', '{"data":[{"index":0,"embedding":[1,null]}]}'],
    ['base64', '{"data":[{"index":0,"embedding":"AACAPwAAAEA="}]}'],
    ['no numbers', '{"data":[{"index":0,"embedding":[]}]}'],
    ['an infinite number', '{"data":[{"index":0,"embedding":[1,1e999]}]}'],
    ['something else', '{"embedding":[1,2]}'],
  ])('refuses %s', async (_, raw) => {
    const { embed } = await start(() => ({ raw }))
    await expect(embed(['one'])).rejects.toThrow(ModelError)
  })

  it('refuses a vector of another length, in whichever place', async () => {
    const { embed } = await start(() => [
      [1, 2],
      [1, 2, 3],
    ])
    const failure: unknown = await embed(['one', 'two']).catch((error: unknown) => error)
    expect(VectorDimensionError.isInstance(failure)).toBe(true)
    expect(failure).toMatchObject({ details: { expected: 2, actual: 3 } })
  })

  it('no longer asks for a length where that is refused, and still checks it', async () => {
    const { embed, server } = await start(({ body }) =>
      'dimensions' in body
        ? { status: 400, error: { message: 'This model does not support specifying dimensions.' } }
        : (body.input as string[]).map(vectorOf),
    )
    expect(await embed(['one'])).toEqual([vectorOf('one')])
    expect(await embed(['one'])).toEqual([vectorOf('one')])
    expect(server.requests.map(({ body }) => 'dimensions' in body)).toEqual([true, false, false])
  })

  it('passes on what the endpoint refuses', async () => {
    const { embed, server } = await start(() => ({ status: 401 }))
    await expect(embed(['one'])).rejects.toMatchObject({ retryable: false })
    expect(server.requests).toHaveLength(1)
  })

  it('gives zeros for a text that is refused, vectors for the others, and logs it without the text', async () => {
    const { logger, lines } = recordingLogger()
    const { embed, server } = await start(
      (request) =>
        inputsOf(request).includes('my secret diary')
          ? { status: 400, error: { message: 'The content is not allowed.' } }
          : inputsOf(request).map(vectorOf),
      { logger },
    )
    expect(await embed(['one', 'my secret diary', 'three'])).toEqual([
      vectorOf('one'),
      [0, 0],
      vectorOf('three'),
    ])
    expect(lines).toMatchObject([
      {
        level: 'warn',
        message: expect.stringContaining('refuses a text') as string,
        fields: { model: 'test-embed', task: 'test', length: 15, status: 400 },
      },
    ])
    expect(JSON.stringify(lines)).not.toContain('diary')
    expect(server.requests.map(inputsOf)).toEqual([
      ['one', 'my secret diary', 'three'],
      ['one', 'my secret diary'],
      ['one'],
      ['my secret diary'],
      ['three'],
    ])
  })

  it('embeds the head of a text that is too long, and logs it', async () => {
    const { logger, lines } = recordingLogger()
    const { embed } = await start(
      (request) =>
        inputsOf(request).some(({ length }) => length > 60)
          ? { status: 413, error: { message: 'inputs must have less than 60 tokens. Given: 200' } }
          : inputsOf(request).map(vectorOf),
      { logger },
    )
    expect(await embed(['x'.repeat(200)])).toEqual([vectorOf('x'.repeat(50))])
    expect(lines).toMatchObject([{ level: 'warn', fields: { length: 200, status: 413 } }])
  })

  it('gives each part of a batch that is halved its own time', async () => {
    const { embed } = await start(
      (request) =>
        inputsOf(request).length > 1
          ? { status: 400, error: { message: 'batch too large' } }
          : { vectors: inputsOf(request).map(vectorOf), delayMs: 300 },
      { timeoutMs: 1_000 },
    )
    const texts = ['a', 'bb', 'ccc', 'dddd']
    expect(await embed(texts)).toEqual(texts.map(vectorOf))
  })

  it('tells the cost of every request, whatever its vectors are like', async () => {
    const told: unknown[] = []
    const heard = { ...context, onUsage: (usage: unknown) => told.push(usage) }
    const { model } = await start(
      ({ index, ...request }) => {
        const vectors = inputsOf({ index, ...request }).map(vectorOf)
        if (index === 0) return { vectors, usage: { prompt_tokens: 3, total_tokens: 3 } }
        if (index === 1) return { vectors, usage: null }
        return { vectors: [[1, 2, 3]], usage: { prompt_tokens: 4, total_tokens: 4 } }
      },
      { batchSize: 1 },
    )
    await expect(model.embed(['a', 'b', 'c'], heard)).rejects.toThrow(VectorDimensionError)
    expect(told).toEqual([
      { inputTokens: 3, outputTokens: 0 },
      undefined,
      { inputTokens: 4, outputTokens: 0 },
    ])
  })

  it('stops between batches when aborted', async () => {
    const controller = new AbortController()
    const { model, server } = await start(
      (request) => {
        controller.abort(new Error('enough'))
        return inputsOf(request).map(vectorOf)
      },
      { batchSize: 1 },
    )
    const call = model.embed(['one', 'two'], { ...context, signal: controller.signal })
    await expect(call).rejects.toThrow('enough')
    expect(server.requests).toHaveLength(1)
  })

  it.each([{ dimensions: 0 }, { dimensions: 1.5 }, { batchSize: 0 }, { baseUrl: 'nowhere' }])(
    'refuses the options %j',
    async (wrong) => {
      await expect(start(undefined, wrong)).rejects.toThrow(ConfigurationError)
    },
  )

  it('takes another trust', async () => {
    const trust = { vectorWeight: 0.5, minSimilarity: 0.4 }
    expect((await start(undefined, { trust })).model.trust).toEqual(trust)
  })
})

describe('probeDimensions', () => {
  it('tells what it cost', async () => {
    const told: unknown[] = []
    const { target } = await start(() => [[1, 2, 3]])
    await probeDimensions(target, { ...context, onUsage: (usage) => told.push(usage) })
    expect(told).toEqual([{ inputTokens: 10, outputTokens: 0 }])
  })

  it('finds the length of the vectors', async () => {
    const { target, server } = await start(() => [[1, 2, 3]])
    expect(await probeDimensions(target, context)).toBe(3)
    expect(server.requests[0]!.body).not.toHaveProperty('dimensions')
  })

  it('fails as the endpoint does', async () => {
    const { target } = await start(() => ({ status: 404 }))
    await expect(probeDimensions(target, context)).rejects.toThrow(ModelError)
  })
})
