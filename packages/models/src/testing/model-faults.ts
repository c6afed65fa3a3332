import type { ModelReply } from './model-reply.js'

/** Something that goes wrong with a model, as replies of the scripted server in place of good ones. */
export interface ModelFault {
  /** A sentence about the endpoint, for the name of a test. */
  readonly what: string
  /**
   * How a client fares that asks again later: `passes` when it fails now and may succeed then, `stays` when the same request
   * fails again, `harmless` when it gets what it needs all the same.
   */
  readonly nature: 'passes' | 'stays' | 'harmless'
  /** In place of a good answer to a chat request; left out where there is no such fault. */
  readonly chat?: (good: string) => ModelReply
  /** In place of good vectors; left out where there is no such fault. */
  readonly embeddings?: (good: readonly (readonly number[])[]) => ModelReply
}

/** A fault that does not depend on what was asked. */
function always(what: string, nature: ModelFault['nature'], reply: ModelReply): ModelFault {
  return { what, nature, chat: () => reply, embeddings: () => reply }
}

/** A fault in the text of a chat answer. */
function inText(
  what: string,
  nature: ModelFault['nature'],
  change: (good: string) => ModelReply,
): ModelFault {
  return { what, nature, chat: change }
}

/** A fault in the vectors of an embedding answer. */
function inVectors(
  what: string,
  nature: ModelFault['nature'],
  change: (good: readonly (readonly number[])[]) => ModelReply,
): ModelFault {
  return { what, nature, embeddings: change }
}

/**
 * What endpoints are known to do, by name, for table-driven tests of whoever calls a model.
 *
 * @example
 * const server = await startModelServer({ chat: () => MODEL_FAULTS.quota.chat?.('{"name":"Ada"}') ?? '' })
 */
export const MODEL_FAULTS = {
  rateLimit: always('asks for a pause with 429 and Retry-After', 'passes', {
    status: 429,
    error: { message: 'Rate limit reached', code: 'rate_limit_exceeded' },
    headers: { 'retry-after': '1', 'retry-after-ms': '30' },
  }),
  rateLimitWithoutTime: always('answers 429 without Retry-After', 'passes', {
    status: 429,
    error: { message: 'Rate limit reached', code: 'rate_limit_exceeded' },
  }),
  quota: always('has no quota left', 'passes', {
    status: 429,
    error: { message: 'You exceeded your current quota', code: 'insufficient_quota' },
  }),
  unauthorized: always('does not take the key', 'stays', {
    status: 401,
    error: { message: 'Incorrect API key provided', code: 'invalid_api_key' },
  }),
  notFound: always('does not know the model', 'stays', {
    status: 404,
    error: { message: 'The model does not exist', code: 'model_not_found' },
  }),
  refusal: always('refuses every request', 'stays', {
    status: 400,
    error: { message: 'Bad request', code: 'invalid_request_error' },
  }),
  serverError: always('answers 500', 'passes', { status: 500 }),
  overload: always('answers 503', 'passes', { status: 503 }),
  hang: always('never answers', 'passes', { hang: true }),
  cut: always('breaks off in the middle of its answer', 'passes', { cut: true }),
  cutChunked: always('breaks off between two chunks', 'passes', { cut: 'chunked' }),
  malformedBody: always('answers with half of a JSON body', 'passes', { raw: '{"choices": [' }),
  webPage: always('answers with a web page', 'stays', {
    raw: '<html>Welcome</html>',
    contentType: 'text/html',
  }),
  slow: {
    what: 'answers late, but in time',
    nature: 'harmless',
    chat: (text) => ({ text, delayMs: 80 }),
    embeddings: (vectors) => ({ vectors, delayMs: 80 }),
  },
  noUsage: {
    what: 'does not say what it costs',
    nature: 'harmless',
    chat: (text) => ({ text, usage: null }),
    embeddings: (vectors) => ({ vectors, usage: null }),
  },
  prose: inText(
    'writes prose around its JSON',
    'harmless',
    (good) => `Sure {as you wish}! Here it is:\n${good}\nAnything else?`,
  ),
  fence: inText('fences its JSON', 'harmless', (good) => `\`\`\`json\n${good}\n\`\`\``),
  truncatedText: inText('writes half of its JSON', 'stays', (good) =>
    good.slice(0, good.length >> 1),
  ),
  outOfTokens: inText('runs out of tokens', 'stays', (good) => ({
    text: good.slice(0, good.length >> 1),
    finishReason: 'length',
  })),
  emptyText: inText('answers with an empty text', 'stays', () => ''),
  wrongShape: inText('answers with JSON of another shape', 'stays', () => '{"answer": 42}'),
  wrongDimensions: inVectors('gives vectors of another length', 'stays', (good) =>
    good.map((vector) => [...vector, 1]),
  ),
  fewerVectors: inVectors('gives a vector too few', 'stays', (good) => good.slice(1)),
} as const satisfies Readonly<Record<string, ModelFault>>

/** A name of `MODEL_FAULTS`. */
export type ModelFaultName = keyof typeof MODEL_FAULTS
