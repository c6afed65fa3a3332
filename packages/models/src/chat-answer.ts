import type { ChatResult } from '@loam/core'
import { z } from 'zod'
import { readUsage } from './answer-usage.js'
import { notAnApiAnswer, type CallTarget } from './model-failure.js'

const FINISH_REASONS = ['stop', 'length', 'content_filter'] as const

/** What is read of a chat completion; endpoints leave out the rest. */
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
})

/** Reads the first choice of a chat completion. */
export function readChatAnswer(answer: unknown, target: CallTarget): ChatResult {
  const parsed = answerSchema.safeParse(answer)
  if (!parsed.success) throw notAnApiAnswer(target, 'a chat completion')
  const [{ message, finish_reason: reason }] = parsed.data.choices
  const usage = readUsage(answer)
  return {
    text: message.content ?? message.refusal ?? '',
    finishReason: FINISH_REASONS.find((known) => known === reason) ?? 'other',
    ...(usage && { usage }),
  }
}
