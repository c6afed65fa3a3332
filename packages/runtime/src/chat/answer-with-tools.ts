import {
  callTool,
  toOpenAiTools,
  type AgentTool,
  type CompletionMessage,
  type CompletionModel,
  type CompletionResult,
  type Logger,
  type ModelCallContext,
  type ModelUsage,
} from '@loam/core'
import { describeTool } from './client-tools.js'

/** Steps in which a model may call tools; after these it has to answer with what it has. */
export const MAX_TOOL_STEPS = 8

/** What a model is asked, and with which tools. */
export interface ToolLoopRequest {
  readonly messages: readonly CompletionMessage[]
  /** Steps that an earlier attempt took, from which this one goes on. */
  readonly taken?: readonly CompletionMessage[] | undefined
  /** Tools that are called here. */
  readonly own: readonly AgentTool[]
  /** Tools of the client's. */
  readonly foreign: readonly unknown[]
  readonly parameters: Readonly<Record<string, unknown>>
}

/** What the model answered. */
export interface ToolLoopResult extends Omit<CompletionResult, 'usage'> {
  readonly usage: ModelUsage | undefined
}

/** Who is told of what happens on the way. */
export interface ToolLoopHooks {
  readonly onText?: ((text: string) => void) | undefined
  /** Told of calls of own tools with their results, when these are there; awaited before the model is asked again. */
  readonly onStep?: ((messages: readonly CompletionMessage[]) => Promise<void>) | undefined
}

/**
 * Asks a model until it answers, or calls a tool of the client's. Own tools are called here; where a model calls both kinds at
 * once, its own come first and it is asked again, since the client knows nothing of them. A tool that nobody has is answered
 * with the names of those that there are.
 */
export async function answerWithTools(
  model: CompletionModel,
  { messages, taken = [], own, foreign, parameters }: ToolLoopRequest,
  context: ModelCallContext & ToolLoopHooks,
  logger: Logger,
): Promise<ToolLoopResult> {
  const ownNames = new Set(own.map(({ name }) => name))
  const foreignNames = new Set(foreign.map((tool) => describeTool(tool).name))
  const steps = [...taken]
  const usages: (ModelUsage | undefined)[] = []
  let text = ''
  for (let step = taken.filter(({ role }) => role === 'assistant').length; ; step += 1) {
    const mayCall = step < MAX_TOOL_STEPS
    const tools = [...(mayCall ? toOpenAiTools(own) : []), ...foreign]
    let isFirst = text !== ''
    const onText = (part: string): void => {
      // What was said between two calls is a paragraph of its own.
      const told = isFirst ? `\n\n${part}` : part
      isFirst = false
      text += told
      context.onText?.(told)
    }
    const result = await model.complete(
      {
        messages: [...messages, ...steps],
        tools,
        parameters: tools.length > 0 ? parameters : withoutToolParameters(parameters),
      },
      { ...context, onText },
    )
    usages.push(result.usage)
    const isOthers = ({ name }: { readonly name: string }) =>
      foreignNames.has(name) && !ownNames.has(name)
    const called = result.toolCalls.filter((call) => !isOthers(call))
    if (!mayCall || called.length === 0) {
      const toolCalls = result.toolCalls.filter(isOthers)
      const finishReason = toolCalls.length > 0 ? 'tool_calls' : stopped(result.finishReason)
      return { text, toolCalls, finishReason, usage: sumOf(usages) }
    }
    const calling = {
      role: 'assistant',
      content: result.text === '' ? null : result.text,
      tool_calls: called.map(({ id, name, arguments: given }) => ({
        id,
        type: 'function',
        function: { name, arguments: given },
      })),
    }
    const answers = await Promise.all(
      called.map(async (call) => {
        const { content } = await callTool(own, call, { signal: context.signal, logger })
        return { role: 'tool', tool_call_id: call.id, content } as const
      }),
    )
    steps.push(calling, ...answers)
    await context.onStep?.([calling, ...answers])
  }
}

/** An endpoint refuses these where there are no tools. */
function withoutToolParameters({
  tool_choice: _choice,
  parallel_tool_calls: _parallel,
  ...parameters
}: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return parameters
}

/** A model that may call nothing more and tries all the same has stopped. */
function stopped(reason: string): string {
  return reason === 'tool_calls' ? 'stop' : reason
}

function sumOf(usages: readonly (ModelUsage | undefined)[]): ModelUsage | undefined {
  return usages.reduce((sum, usage) =>
    sum && usage
      ? {
          inputTokens: sum.inputTokens + usage.inputTokens,
          outputTokens: sum.outputTokens + usage.outputTokens,
        }
      : undefined,
  )
}
