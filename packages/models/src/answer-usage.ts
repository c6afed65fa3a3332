import type { ModelUsage } from '@loam/core'
import { z } from 'zod'

const tokens = z.int().nonnegative().optional().catch(undefined)

const usageSchema = z.object({
  usage: z.object({
    prompt_tokens: tokens,
    completion_tokens: tokens,
    total_tokens: tokens,
  }),
})

/**
 * What an answer says that it cost, whatever else is in it. Undefined when a part of it cannot be told: endpoints leave
 * out the usage, or half of it (honcho #809).
 */
export function readUsage(answer: unknown): ModelUsage | undefined {
  const parsed = usageSchema.safeParse(answer)
  if (!parsed.success) return undefined
  const {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: total,
  } = parsed.data.usage
  const inputTokens = prompt ?? difference(total, completion ?? 0)
  const outputTokens = completion ?? difference(total, inputTokens)
  if (inputTokens === undefined || outputTokens === undefined) return undefined
  return { inputTokens, outputTokens }
}

function difference(total: number | undefined, part: number | undefined): number | undefined {
  return total === undefined || part === undefined ? undefined : Math.max(0, total - part)
}
