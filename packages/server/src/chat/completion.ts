import type { z } from '@hono/zod-openapi'
import type { ChatTurnResult } from '@loam/runtime'
import type { completionSchema } from './completion-schemas.js'

/** What an answer begins with. */
export interface CompletionHead {
  readonly id: string
  /** Seconds since 1970. */
  readonly created: number
  /** As the client named it. */
  readonly model: string
}

/** A whole answer in the shape of OpenAI's API. */
export function toCompletion(
  head: CompletionHead,
  result: ChatTurnResult,
): z.infer<typeof completionSchema> {
  const { text, toolCalls, finishReason, usage, warnings } = result
  return {
    ...head,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text === '' && toolCalls.length > 0 ? null : text,
          refusal: null,
          ...(toolCalls.length > 0 && { tool_calls: toolCalls.map(toCall) }),
        },
        finish_reason: finishReason,
        logprobs: null,
      },
    ],
    ...(usage && { usage: toUsage(usage) }),
    ...(warnings.length > 0 && { warnings: [...warnings] }),
  }
}

/** A call of a tool, as it stands in a message. */
export function toCall({ id, name, arguments: given }: ChatTurnResult['toolCalls'][number]) {
  return { id, type: 'function' as const, function: { name, arguments: given } }
}

/** What an answer cost, of all requests to the model. */
export function toUsage({ inputTokens, outputTokens }: NonNullable<ChatTurnResult['usage']>) {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  }
}
