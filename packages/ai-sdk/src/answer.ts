import type {
  LanguageModelV3Content,
  LanguageModelV3FinishReason,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
} from '@ai-sdk/provider'

/** What a model answered. */
export interface Answer {
  readonly text: string
  /** Calls of tools, other than those that the provider has done itself. */
  readonly toolCalls: readonly {
    readonly id: string
    readonly name: string
    readonly arguments: string
  }[]
  readonly finishReason: LanguageModelV3FinishReason
  readonly usage: LanguageModelV3Usage
}

/** The answer in what a model generated. */
export function toAnswer(result: {
  readonly content: readonly LanguageModelV3Content[]
  readonly finishReason: LanguageModelV3FinishReason
  readonly usage: LanguageModelV3Usage
}): Answer {
  const { content, finishReason, usage } = result
  const texts = content.filter((part) => part.type === 'text').map(({ text }) => text)
  return { text: texts.join(''), toolCalls: content.flatMap(toCalls), finishReason, usage }
}

/** Passes a stream on, and tells its answer before it ends; undefined when it broke off or was left. */
export function watchStream(
  stream: ReadableStream<LanguageModelV3StreamPart>,
  onEnd: (answer: Answer | undefined) => Promise<void>,
): ReadableStream<LanguageModelV3StreamPart> {
  const reader = stream.getReader()
  const content: LanguageModelV3Content[] = []
  let answer: Answer | undefined
  const collect = (part: LanguageModelV3StreamPart) => {
    if (part.type === 'text-delta') content.push({ type: 'text', text: part.delta })
    if (part.type === 'tool-call') content.push(part)
    if (part.type === 'finish') answer = toAnswer({ ...part, content })
  }
  return new ReadableStream<LanguageModelV3StreamPart>({
    async pull(controller) {
      const next = await reader.read().catch(async (error: unknown) => {
        await onEnd(undefined)
        throw error
      })
      if (next.done) {
        await onEnd(answer)
        controller.close()
      } else {
        collect(next.value)
        controller.enqueue(next.value)
      }
    },
    async cancel(reason) {
      await reader.cancel(reason)
      await onEnd(undefined)
    },
  })
}

function toCalls(part: LanguageModelV3Content): Answer['toolCalls'] {
  if (part.type !== 'tool-call' || part.providerExecuted === true) return []
  return [{ id: part.toolCallId, name: part.toolName, arguments: part.input }]
}
