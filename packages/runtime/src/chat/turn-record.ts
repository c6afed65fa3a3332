import { createHash } from 'node:crypto'
import { canonicalJson, type CompletionMessage } from '@loam/core'
import type { Message } from '@loam/storage'
import { z } from 'zod'

const turnRecordSchema = z.object({
  /** Tells what was said from anything else; see `fingerprintOf`. */
  said: z.string(),
  finishReason: z.string().optional(),
  usage: z.object({ inputTokens: z.number(), outputTokens: z.number() }).optional(),
})

/** What is kept of a named turn beside its messages, so that one which is sent again can be told from another, and answered alike. */
export type TurnRecord = z.infer<typeof turnRecordSchema>

/** Equal for messages that say the same. */
export function fingerprintOf(messages: readonly CompletionMessage[]): string {
  const said = messages.map(({ role, content, name, tool_call_id: toolCallId }) => ({
    role,
    content,
    name,
    toolCallId,
  }))
  return createHash('sha256').update(canonicalJson(said)).digest('hex')
}

/** The record as metadata of a message. */
export function toMetadata({ said, finishReason, usage }: TurnRecord) {
  return { turn: { said, ...(finishReason && { finishReason }), ...(usage && { usage }) } }
}

/** The record that a message bears; undefined when it bears none. */
export function readTurnRecord({ metadata }: Message): TurnRecord | undefined {
  return turnRecordSchema.safeParse(metadata?.['turn']).data
}
