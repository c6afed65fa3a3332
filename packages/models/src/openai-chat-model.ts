import {
  ModelOutputError,
  type ChatMessage,
  type ChatModel,
  type ChatRequest,
  type ChatResult,
  type ModelCallContext,
  type ModelError,
} from '@loam/core'
import { readChatAnswer } from './chat-answer.js'
import type { Deadline } from './deadline.js'
import { createEndpoint, type Endpoint, type EndpointOptions } from './endpoint.js'
import { isRefusal } from './model-failure.js'
import {
  askForRepair,
  askInPrompt,
  parseReply,
  toModelSchema,
  unfitReply,
} from './structured-output.js'

const DEFAULT_TIMEOUT_MS = 120_000

/** Options of `createOpenAiChatModel`. */
export type OpenAiChatModelOptions = EndpointOptions

interface JsonFormat {
  readonly name: string
  readonly jsonSchema: Record<string, unknown>
}

/** What the endpoint has been seen to refuse, so that it is not asked again. */
interface Dialect {
  tokenLimit: 'max_tokens' | 'max_completion_tokens'
  temperature: boolean
  readonly refusedFormats: Set<string>
}

/** One exchange: until when it must be over, and who is told what it costs. */
interface Exchange {
  readonly deadline: Deadline
  readonly context: ModelCallContext
}

/**
 * Makes a chat model behind an OpenAI-compatible API.
 *
 * @throws ConfigurationError if the options are not right.
 * @example
 * const model = createOpenAiChatModel({ baseUrl: 'http://127.0.0.1:11434/v1', model: 'llama3.2' })
 * const { text } = await model.chat({ messages: [{ role: 'user', content: 'Hello' }] }, { scope, task: 'example' })
 */
export function createOpenAiChatModel(options: OpenAiChatModelOptions): ChatModel {
  const endpoint = createEndpoint(options, { timeoutMs: DEFAULT_TIMEOUT_MS })
  const dialect: Dialect = {
    tokenLimit: 'max_tokens',
    temperature: true,
    refusedFormats: new Set(),
  }
  const send = (request: ChatRequest, exchange: Exchange, format?: JsonFormat) =>
    sendChat(endpoint, dialect, request, exchange, format)

  return {
    provider: 'openai-compatible',
    model: options.model,
    chat(request, context) {
      const { signal } = context
      return endpoint.within({ signal, timeoutMs: request.timeoutMs }, (deadline) =>
        send(request, { deadline, context }),
      )
    },
    chatObject({ schema, schemaName, ...request }, context) {
      const { signal } = context
      const format = { name: schemaName, jsonSchema: toModelSchema(schema) }
      return endpoint.within({ signal, timeoutMs: request.timeoutMs }, async (deadline) => {
        const ask = async (messages: readonly ChatMessage[]) => {
          const asked = { ...request, messages }
          const exchange = { deadline, context }
          return completeText(await askForJson(asked, format, exchange), schemaName)
        }
        const reply = await ask(request.messages)
        const parsed = await parseReply(reply, schema)
        if ('value' in parsed) return parsed.value
        const secondReply = await ask(askForRepair(request.messages, reply, parsed.issues))
        const repaired = await parseReply(secondReply, schema)
        if ('value' in repaired) return repaired.value
        throw unfitReply(schemaName, secondReply, repaired.issues)
      })
    },
  }

  async function askForJson(
    request: ChatRequest,
    format: JsonFormat,
    exchange: Exchange,
  ): Promise<ChatResult> {
    const inPrompt = { ...request, messages: askInPrompt(request.messages, format.jsonSchema) }
    if (dialect.refusedFormats.has(format.name)) return send(inPrompt, exchange)
    try {
      return await send(request, exchange, format)
    } catch (error) {
      if (!mayBeSaidOtherwise(error)) throw error
      const result = await send(inPrompt, exchange)
      dialect.refusedFormats.add(format.name)
      return result
    }
  }
}

/** Sends a request in the words that the endpoint knows, and learns from what it refuses. */
async function sendChat(
  endpoint: Endpoint,
  dialect: Dialect,
  request: ChatRequest,
  exchange: Exchange,
  format: JsonFormat | undefined,
): Promise<ChatResult> {
  const { messages, maxOutputTokens, temperature } = request
  const body = {
    model: endpoint.model,
    messages: [...messages],
    ...(maxOutputTokens !== undefined && { [dialect.tokenLimit]: maxOutputTokens }),
    ...(temperature !== undefined && dialect.temperature && { temperature }),
    ...(format && {
      response_format: {
        type: 'json_schema' as const,
        json_schema: { name: format.name, schema: format.jsonSchema },
      },
    }),
  }
  try {
    const answer = await endpoint.send(
      (client, options) => client.chat.completions.create(body, options),
      exchange.deadline,
      exchange.context,
    )
    return readChatAnswer(answer, endpoint)
  } catch (error) {
    if (!mayBeSaidOtherwise(error) || !adapt(dialect, request, error)) throw error
    return sendChat(endpoint, dialect, request, exchange, format)
  }
}

/** Changes what the refusal names; false if it names nothing that can be said otherwise. */
function adapt(dialect: Dialect, request: ChatRequest, { message }: ModelError): boolean {
  const mayRename = request.maxOutputTokens !== undefined && dialect.tokenLimit === 'max_tokens'
  if (mayRename && message.includes('max_completion_tokens')) {
    dialect.tokenLimit = 'max_completion_tokens'
    return true
  }
  if (request.temperature !== undefined && dialect.temperature && message.includes('temperature')) {
    dialect.temperature = false
    return true
  }
  return false
}

/** Of what is too long no other wording is shorter. */
function mayBeSaidOtherwise(error: unknown): error is ModelError {
  return isRefusal(error) && error.reason !== 'too_large'
}

function completeText({ text, finishReason }: ChatResult, schemaName: string): string {
  if (finishReason === 'length') {
    throw new ModelOutputError({
      message: `The model's answer for the schema "${schemaName}" was cut off at its limit of output tokens. Raise maxOutputTokens, or ask for less.`,
      details: { schemaName, finishReason },
    })
  }
  if (finishReason === 'content_filter') {
    throw new ModelOutputError({
      message: `The provider's content filter withheld the answer for the schema "${schemaName}". The same text would be withheld again.`,
      details: { schemaName, finishReason },
    })
  }
  return text
}
