import { createRoute, z } from '@hono/zod-openapi'
import { InvalidInputError, toInputIssues } from '@loam/core'
import type { ChatTurnRequest, Runtime } from '@loam/runtime'
import { chatSessionKey, type ApiKey } from '@loam/storage'
import { streamSSE } from 'hono/streaming'
import { owningUser } from '../acting-user.js'
import { createRoutes } from '../api-environment.js'
import { toCompletion, type CompletionHead } from '../chat/completion.js'
import { completionChunkSchema, completionSchema } from '../chat/completion-schemas.js'
import { streamCompletion } from '../chat/stream-completion.js'
import { clientSignal } from '../client-signal.js'
import { identifierSchema, noQuery, sessionKeySchema, userIdSchema } from '../fields.js'
import { logFailure } from '../log-failure.js'
import { jsonBody } from '../media.js'
import { openAiErrorResponses, toOpenAiError } from '../openai-errors.js'
import { toProblemAnswer } from '../problem.js'
import { agentOfModel } from './models.js'

/** Most messages and tools of one request. */
const MAX_MESSAGES = 10_000
const MAX_TOOLS = 1_000

const partsSchema = z.array(z.looseObject({ type: z.string() })).max(1_000)

/** What a part lacks of what is read of it; parts of other types are the provider's matter. */
function partFault(
  part: Readonly<Record<string, unknown>>,
): readonly [field: string, message: string] | undefined {
  if (part['type'] === 'text' && typeof part['text'] !== 'string') {
    return ['text', 'Must be a string']
  }
  if (part['type'] !== 'image_url') return undefined
  const { url } = (part['image_url'] ?? {}) as { readonly url?: unknown }
  return typeof url === 'string'
    ? undefined
    : ['image_url', 'Must be an object with a string "url"']
}

/** A message; what else it has is the provider's matter. */
const chatMessageSchema = z
  .looseObject({
    role: z.string(),
    content: z.union([z.string(), partsSchema, z.null()]).optional(),
    name: z.string().max(200).nullish(),
    tool_call_id: z.string().max(500).nullish(),
  })
  .superRefine(({ role, content, tool_call_id: toolCallId }, context) => {
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: path.split('.'), message })
    for (const [index, part] of Array.isArray(content) ? content.entries() : []) {
      const [field, message] = partFault(part) ?? []
      if (message !== undefined) refuse(`content.${index}.${field}`, message)
    }
    if (role !== 'assistant' && (content === undefined || content === null)) {
      refuse('content', 'Is required')
    }
    if (role === 'tool' && typeof toolCallId !== 'string') refuse('tool_call_id', 'Is required')
  })

const chatToolSchema = z.looseObject({
  type: z.literal('function', 'Only tools of the type "function" are supported'),
  function: z.looseObject({
    name: z.string().regex(/^[\w.-]{1,200}$/, 'Must be 1 to 200 letters, digits, "_", "-" or "."'),
    description: z.string().max(10_000).nullish(),
  }),
})

/** Fields whose answers would be lost on the way, so that they are refused rather than ignored. */
const UNSUPPORTED: Readonly<Record<string, string>> = {
  functions: 'Is no longer supported. Send "tools"',
  function_call: 'Is no longer supported. Send "tool_choice"',
  logprobs: 'Is not supported',
  top_logprobs: 'Is not supported',
  audio: 'Is not supported. Answers are text',
}

const chatRequestSchema = z
  .looseObject({
    model: z.string().openapi({ example: 'loam:assistant' }),
    messages: z.array(chatMessageSchema).min(1, 'Must hold at least one message').max(MAX_MESSAGES),
    user: userIdSchema.nullish().openapi({
      description: 'Whose memory it is. May be left out when the key is bound to a user.',
    }),
    stream: z.boolean().nullish(),
    stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
    tool_choice: z.unknown().optional(),
    tools: z.array(chatToolSchema).max(MAX_TOOLS).nullish().openapi({
      description: "Tools of the client's own; a call of one is answered to the client.",
    }),
    n: z.literal(1, 'Must be 1: an agent gives one answer').nullish(),
    modalities: z.array(z.literal('text', 'Must be "text"')).nullish(),
  })
  .superRefine((body, context) => {
    for (const [path, message] of Object.entries(UNSUPPORTED)) {
      const value = body[path]
      if (value === undefined || value === null || value === false) continue
      context.addIssue({ code: 'custom', path: [path], message })
    }
    for (const path of ['max_tokens', 'max_completion_tokens']) {
      const bound = body[path]
      if (bound === undefined || bound === null) continue
      if (Number.isSafeInteger(bound) && Number(bound) > 0) continue
      const message = 'Must be a whole number of tokens from 1 on'
      context.addIssue({ code: 'custom', path: [path], message })
    }
  })
  .openapi('ChatCompletionRequest', {
    description: 'As in the API of OpenAI. Other fields, such as temperature, are for the model.',
  })

const chatHeaders = z.object({
  'x-loam-session-id': z.string().min(1).max(2_000).optional().openapi({
    description:
      'Key of the session, percent-encoded. Default: one session for each user, "chat/<user>".',
  }),
  'idempotency-key': identifierSchema(400).optional().openapi({
    description: 'Names the request: sent again, it is stored once and answered as before.',
  }),
})

const createCompletion = createRoute({
  method: 'post',
  path: '/chat/completions',
  operationId: 'createChatCompletion',
  tags: ['chat'],
  summary: 'Talk to an agent that remembers, as any client of OpenAI does',
  request: { query: noQuery, headers: chatHeaders, body: jsonBody(chatRequestSchema) },
  responses: {
    200: {
      description: 'The answer, or server-sent events of its chunks.',
      content: {
        'application/json': { schema: completionSchema },
        'text/event-stream': { schema: completionChunkSchema },
      },
    },
    ...openAiErrorResponses,
  },
})

/** Drop-in chat: POST /chat/completions. */
export function chatCompletionRoutes(runtime: Runtime) {
  return createRoutes().openapi(createCompletion, async (context) => {
    const key = context.get('apiKey')
    const {
      model,
      messages,
      user,
      stream,
      stream_options,
      tools,
      tool_choice,
      n: _n,
      ...parameters
    } = context.req.valid('json')
    const headers = context.req.valid('header')
    const userId = speaker(key, user)
    const agent = await agentOfModel(runtime, key, model)
    const sessionKey = sessionKeyOf(headers['x-loam-session-id'], userId)
    context.header('X-Loam-Session-Id', encodeURIComponent(sessionKey))
    // "none" speaks of the client's tools; how an agent remembers is its own matter.
    const isWithout = tool_choice === 'none' || !tools?.length
    const request: ChatTurnRequest = {
      tenantId: key.tenantId,
      agent,
      userId,
      sessionKey,
      messages,
      tools: isWithout ? [] : tools,
      parameters: isWithout ? parameters : { ...parameters, tool_choice },
      turnId: headers['idempotency-key'],
    }
    const head: CompletionHead = {
      id: `chatcmpl-${context.get('requestId')}`,
      created: Math.floor(runtime.clock.now().getTime() / 1000),
      model,
    }
    const signal = clientSignal(context)
    if (!stream) {
      const result = await runtime.chat(request, { signal })
      return context.json(toCompletion(head, result), 200)
    }
    const chunks = await streamCompletion((onText) => runtime.chat(request, { signal, onText }), {
      ...head,
      withUsage: stream_options?.include_usage ?? false,
      describeError: (error) => {
        const { problem } = toProblemAnswer(error, context.get('requestId'))
        logFailure(runtime.logger, problem, error)
        return toOpenAiError(problem)
      },
    })
    return streamSSE(context, async (events) => {
      for await (const data of chunks) await events.writeSSE({ data })
    })
  })
}

/** Whose turn it is: the key's user, or the one that the request names. */
function speaker(key: ApiKey, user: string | null | undefined): string {
  if (key.userId === undefined && !user) {
    const message =
      'Is required: the id of your user, whose memory it is; or use a key that is bound to a user'
    throw new InvalidInputError({
      message: `user: ${message}.`,
      issues: [{ path: 'user', message }],
    })
  }
  return owningUser(key, user ?? undefined)
}

function sessionKeyOf(header: string | undefined, userId: string): string {
  if (header === undefined) return chatSessionKey(userId)
  const key = decoded(header)
  const parsed = sessionKeySchema.safeParse(key)
  if (parsed.success) return parsed.data
  const message =
    key === undefined
      ? 'Must be percent-encoded UTF-8; a "%" itself is written "%25"'
      : (toInputIssues(parsed.error)[0]?.message ?? 'Must be the key of a session')
  throw new InvalidInputError({
    message: `X-Loam-Session-Id: ${message}.`,
    issues: [{ path: 'X-Loam-Session-Id', message }],
  })
}

function decoded(header: string): string | undefined {
  try {
    return decodeURIComponent(header)
  } catch {
    return undefined
  }
}
