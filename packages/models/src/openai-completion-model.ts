import {
  ModelError,
  type CompletionModel,
  type CompletionRequest,
  type CompletionResult,
} from '@loam/core'
import type { OpenAI } from 'openai'
import { z } from 'zod'
import { readUsage } from './answer-usage.js'
import { createEndpoint, type EndpointOptions } from './endpoint.js'
import { isRefusal, notAnApiAnswer, toModelError, type CallTarget } from './model-failure.js'

const DEFAULT_TIMEOUT_MS = 300_000

/** Options of `createOpenAiCompletionModel`. */
export type OpenAiCompletionModelOptions = EndpointOptions

type OnText = (text: string) => void

/**
 * Makes a model behind an OpenAI-compatible API that may call tools and tells its text as it comes.
 *
 * It is tried again after failures that may pass, but only as long as nothing was told of the answer. Of the requests that are sent
 * at once one is never the same user's as all others, since an answer may take minutes.
 *
 * @throws ConfigurationError if the options are not right.
 * @example
 * const model = createOpenAiCompletionModel({ baseUrl: 'http://127.0.0.1:11434/v1', model: 'llama3.2' })
 * const { text } = await model.complete({ messages }, { scope, task: 'chat', onText: (part) => process.stdout.write(part) })
 */
export function createOpenAiCompletionModel(
  options: OpenAiCompletionModelOptions,
): CompletionModel {
  const endpoint = createEndpoint(options, { timeoutMs: DEFAULT_TIMEOUT_MS, spare: 1 })
  // Until the endpoint refuses to say what a stream costs.
  let asksForUsage = true

  return {
    provider: 'openai-compatible',
    model: options.model,
    complete(request, context) {
      const { signal, onText = () => {} } = context
      const ask = (client: OpenAI, sending: { readonly signal: AbortSignal }) =>
        answerOf(client, bodyOf(endpoint.model, request, asksForUsage), sending, endpoint, onText)
      return endpoint.within({ signal, timeoutMs: request.timeoutMs }, async (deadline) => {
        try {
          return toResult(await endpoint.send(ask, deadline, context))
        } catch (error) {
          if (!asksForUsage || !isRefusal(error) || !error.message.includes('stream_options'))
            throw error
          asksForUsage = false
          return toResult(await endpoint.send(ask, deadline, context))
        }
      })
    },
  }
}

/** An answer as its chunks gave it. */
interface Gathered {
  text: string
  readonly calls: Map<number, { id: string; name: string; arguments: string }>
  finishReason: string | undefined
  /** As the API says it. */
  usage: unknown
}

function bodyOf(model: string, request: CompletionRequest, asksForUsage: boolean) {
  const { messages, tools = [], parameters } = request
  return {
    ...parameters,
    model,
    messages: [...messages],
    ...(tools.length > 0 && { tools: [...tools] }),
    stream: true,
    ...(asksForUsage && { stream_options: { include_usage: true } }),
  }
}

async function answerOf(
  client: OpenAI,
  body: ReturnType<typeof bodyOf>,
  options: { readonly signal: AbortSignal },
  target: CallTarget,
  onText: OnText,
): Promise<Gathered> {
  const gathered: Gathered = {
    text: '',
    calls: new Map(),
    finishReason: undefined,
    usage: undefined,
  }
  let isTold = false
  let isAnswer = false
  try {
    const stream = (await client.chat.completions.create(
      // What is passed on is the caller's, and the endpoint is the judge of it.
      body as unknown as OpenAI.ChatCompletionCreateParamsStreaming,
      options,
    )) as AsyncIterable<unknown>
    for await (const chunk of stream) {
      const text = gather(gathered, chunk)
      if (text === undefined) continue
      isAnswer = true
      if (text === '') continue
      isTold = true
      onText(text)
    }
  } catch (error) {
    throw isTold ? final(toModelError(error, target)) : error
  }
  if (!isAnswer) throw notAnApiAnswer(target, 'a streamed chat completion')
  if (gathered.finishReason !== undefined) return gathered
  throw new ModelError({
    message: `Model "${target.model}" at ${target.baseUrl} ended its answer in the middle.`,
    retryable: !isTold,
    reason: 'interrupted',
    details: { model: target.model },
  })
}

const chunkSchema = z.object({
  choices: z.array(
    z.object({
      finish_reason: z.string().nullish(),
      delta: z.object({
        content: z.string().nullish(),
        refusal: z.string().nullish(),
        tool_calls: z
          .array(
            z.object({
              index: z.int().optional(),
              id: z.string().nullish(),
              function: z
                .object({ name: z.string().nullish(), arguments: z.string().nullish() })
                .nullish(),
            }),
          )
          .nullish(),
      }),
    }),
  ),
})

/** Adds a chunk. Returns the text in it; undefined when it is no part of an answer. */
function gather(gathered: Gathered, chunk: unknown): string | undefined {
  if (readUsage(chunk) !== undefined) gathered.usage = (chunk as { usage: unknown }).usage
  const parsed = chunkSchema.safeParse(chunk)
  const choice = parsed.success ? parsed.data.choices[0] : undefined
  if (choice === undefined) return undefined
  const { delta, finish_reason: reason } = choice
  gathered.finishReason = reason ?? gathered.finishReason
  const text = delta.content ?? delta.refusal ?? ''
  gathered.text += text
  for (const [place, call] of (delta.tool_calls ?? []).entries()) {
    const index = call.index ?? place
    const known = gathered.calls.get(index) ?? { id: '', name: '', arguments: '' }
    gathered.calls.set(index, {
      id: call.id ?? known.id,
      name: known.name + (call.function?.name ?? ''),
      arguments: known.arguments + (call.function?.arguments ?? ''),
    })
  }
  return text
}

function toResult(answer: unknown): CompletionResult {
  const { text, calls, finishReason = 'stop', ...rest } = answer as Gathered
  const inOrder = Array.from(calls).toSorted(([one], [other]) => one - other)
  const usage = readUsage(rest)
  return {
    text,
    toolCalls: inOrder.map(([index, call]) => ({ ...call, id: call.id || `call_${index}` })),
    finishReason,
    ...(usage && { usage }),
  }
}

/** The same failure, not to be tried again: the beginning of the answer is out. */
function final(error: unknown): unknown {
  if (!ModelError.isInstance(error)) return error
  const { message, reason, details, retryAfterMs } = error
  return new ModelError({ message, reason, details, retryAfterMs, retryable: false, cause: error })
}
