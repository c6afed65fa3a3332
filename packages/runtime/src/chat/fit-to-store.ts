import { toStorableText } from '@loam/core'
import { DEFAULT_MEMORY_LIMITS, type MessageInput } from '@loam/memory'
import { headOf } from '@loam/text'

/** Most calls of tools that one message is stored with. */
const MAX_STORED_CALLS = 1_000
const MAX_NAME_LENGTH = 500
/** How long the texts of steps may be, tried in turn until all fit into one batch. The last always does: see `MAX_TOOL_STEPS`. */
const STEP_LIMITS = [1_000_000, 100_000, 10_000]

/** Messages that the memory takes as they are, and what had to be left out for it. */
export interface FittingMessages {
  readonly messages: readonly MessageInput[]
  readonly warnings: readonly string[]
}

/**
 * Cuts what a model or a tool wrote to what can be stored. What the caller wrote is refused when it is too long; for what a model
 * did, nobody could be told, and the answer is there and paid for. The last message is the answer, and is cut last.
 */
export function fitToStore(messages: readonly MessageInput[]): FittingMessages {
  const { maxMessageLength, maxBatchLength } = DEFAULT_MEMORY_LIMITS
  const steps = messages.slice(0, -1)
  const answer = messages.slice(-1).map((message) => cutMessage(message, maxMessageLength))
  const room = maxBatchLength - lengthOf(answer)
  const tried = STEP_LIMITS.map((limit) => () => steps.map((step) => cutMessage(step, limit)))
  const cut = firstThat(tried, (each) => lengthOf(each) <= room)
  const fitting = [...cut, ...answer]
  const missing = lengthOf(messages) - lengthOf(fitting)
  return {
    messages: fitting,
    warnings:
      missing > 0
        ? ['The answer, or what its tools said, is longer than what is stored of one: it was cut.']
        : [],
  }
}

function firstThat<Value>(makers: readonly (() => Value[])[], holds: (made: Value[]) => boolean) {
  let made: Value[] = []
  for (const make of makers) {
    made = make()
    if (holds(made)) break
  }
  return made
}

function cutMessage(message: MessageInput, limit: number): MessageInput {
  const { content, toolCalls } = message
  const calls = toolCalls?.slice(0, MAX_STORED_CALLS)
  // Each of its texts may be as long as if all were.
  const share = Math.floor(limit / (1 + (calls?.length ?? 0)))
  const isTooLong = lengthOf([message]) > limit
  const cut = (text: string) => (isTooLong ? shortened(text, share) : text)
  return {
    ...message,
    content: typeof content === 'string' ? cut(content) : content,
    ...(calls && {
      toolCalls: calls.map(({ id, name, arguments: given }) => ({
        id,
        name: headOf(toStorableText(name), MAX_NAME_LENGTH),
        arguments: cut(given),
      })),
    }),
  }
}

function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text
  const note = `\n[${text.length} characters, cut]`
  return `${headOf(text, limit - note.length)}${note}`
}

function lengthOf(messages: readonly MessageInput[]): number {
  return messages.reduce(
    (sum, { content, toolCalls = [] }) =>
      sum +
      (typeof content === 'string' ? content.length : 0) +
      toolCalls.reduce((total, call) => total + call.arguments.length, 0),
    0,
  )
}
