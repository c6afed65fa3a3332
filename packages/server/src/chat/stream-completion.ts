import type { ChatTurnResult } from '@loam/runtime'
import { toCall, toUsage, type CompletionHead } from './completion.js'
import { createTextChannel } from './text-channel.js'

/** How an answer is streamed. */
export interface StreamOptions extends CompletionHead {
  /** Whether a chunk at the end says what it cost. */
  readonly withUsage: boolean
  /** Says in the stream what went wrong after it began. */
  readonly describeError: (error: unknown) => unknown
}

/**
 * The answer of a turn as the data of server-sent events, in the shape of OpenAI's API.
 *
 * Resolves with the first text, or the end of a turn without any, so that what fails before it is refused with a status as
 * any request is.
 */
export async function streamCompletion(
  chat: (onText: (text: string) => void) => Promise<ChatTurnResult>,
  options: StreamOptions,
): Promise<AsyncIterable<string>> {
  const channel = createTextChannel()
  const turn = chat(channel.push).finally(channel.end)
  await Promise.race([turn, channel.begun])
  return chunksOf(turn, channel.texts(), options)
}

async function* chunksOf(
  turn: Promise<ChatTurnResult>,
  texts: AsyncIterable<string>,
  { withUsage, describeError, ...head }: StreamOptions,
): AsyncIterable<string> {
  const base = { ...head, object: 'chat.completion.chunk' }
  const chunk = (delta: object, reason: string | null = null, rest: object = {}) =>
    JSON.stringify({
      ...base,
      choices: [{ index: 0, delta, finish_reason: reason, logprobs: null }],
      ...(withUsage && { usage: null }),
      ...rest,
    })
  yield chunk({ role: 'assistant', content: '' })
  for await (const content of texts) yield chunk({ content })
  try {
    const { toolCalls, finishReason, usage, warnings } = await turn
    if (toolCalls.length > 0) {
      yield chunk({ tool_calls: toolCalls.map((call, index) => ({ index, ...toCall(call) })) })
    }
    yield chunk({}, finishReason, warnings.length > 0 ? { warnings } : {})
    if (withUsage) {
      yield JSON.stringify({ ...base, choices: [], usage: usage ? toUsage(usage) : null })
    }
    yield '[DONE]'
  } catch (error) {
    yield JSON.stringify(describeError(error))
  }
}
