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
import pLimit from 'p-limit'
import { describeTool } from './client-tools.js'
import { MAX_CALLS_PER_STEP, tameCalls } from './tame-calls.js'

/** Steps in which a model may call tools; after these it has to answer with what it has. */
export const MAX_TOOL_STEPS = 8
/** Calls of one turn that are under way at once, so that a model that makes many does not take the process for itself. */
const MAX_CALLS_AT_ONCE = 4

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
  /** What was not done as the model wanted it. */
  readonly warnings: readonly string[]
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
 * with the names of those that there are. Of very many calls at once the first are made, and the model is told.
 */
export async function answerWithTools(
  model: CompletionModel,
  { messages, taken = [], own, foreign, parameters }: ToolLoopRequest,
  context: ModelCallContext & ToolLoopHooks,
  logger: Logger,
): Promise<ToolLoopResult> {
  const { signal } = context
  const others = foreign.map((tool) => describeTool(tool).name)
  const steps = [...taken]
  const usages: (ModelUsage | undefined)[] = []
  const warnings: string[] = []
  const inTurn = pLimit(MAX_CALLS_AT_ONCE)
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
    const isOthers = ({ name }: { readonly name: string }) => others.includes(name)
    const calls = tameCalls(result.toolCalls, step)
    const wanted = calls.filter((call) => !isOthers(call))
    if (!mayCall || wanted.length === 0) {
      const toolCalls = calls.filter(isOthers)
      const finishReason = toolCalls.length > 0 ? 'tool_calls' : stopped(result.finishReason)
      return { text, toolCalls, finishReason, usage: sumOf(usages), warnings }
    }
    const called = wanted.slice(0, MAX_CALLS_PER_STEP)
    const dropped = wanted.length - called.length
    if (dropped > 0) warnings.push(tooMany(wanted.length))
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
      called.map((call, index) =>
        inTurn(async () => {
          signal?.throwIfAborted()
          const { content } = await callTool(own, call, { signal, logger, others })
          const isLast = dropped > 0 && index === called.length - 1
          const told = isLast ? `${content}\n\n${tooMany(wanted.length)}` : content
          return { role: 'tool', tool_call_id: call.id, content: told } as const
        }),
      ),
    )
    steps.push(calling, ...answers)
    await context.onStep?.([calling, ...answers])
  }
}

function tooMany(count: number): string {
  return `${count} tools were called at once; only the first ${MAX_CALLS_PER_STEP} calls were made.`
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
