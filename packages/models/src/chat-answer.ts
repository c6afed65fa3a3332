import type { ChatResult, ModelUsage } from '@loam/core'
import { z } from 'zod'
import { notAnApiAnswer, type CallTarget } from './model-failure.js'

const FINISH_REASONS = ['stop', 'length', 'content_filter'] as const

const tokens = z.number().nonnegative().optional().catch(undefined)

/** What is read of a chat completion; endpoints leave out the rest, and sometimes the usage (honcho #809). */
const answerSchema = z.object({
  choices: z.tuple(
    [
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
      }),
    ],
    z.unknown(),
  ),
  usage: z.object({ prompt_tokens: tokens, completion_tokens: tokens }).nullish().catch(undefined),
})

/** Reads the first choice of a chat completion. */
export function readChatAnswer(answer: unknown, target: CallTarget): ChatResult {
  const parsed = answerSchema.safeParse(answer)
  if (!parsed.success) throw notAnApiAnswer(target, 'a chat completion')
  const [{ message, finish_reason: reason }] = parsed.data.choices
  const usage = readUsage(parsed.data.usage)
  return {
    text: message.content ?? message.refusal ?? '',
    finishReason: FINISH_REASONS.find((known) => known === reason) ?? 'other',
    ...(usage && { usage }),
  }
}

function readUsage(usage: z.infer<typeof answerSchema>['usage']): ModelUsage | undefined {
  if (usage?.prompt_tokens === undefined && usage?.completion_tokens === undefined) return undefined
  return { inputTokens: usage.prompt_tokens ?? 0, outputTokens: usage.completion_tokens ?? 0 }
}
