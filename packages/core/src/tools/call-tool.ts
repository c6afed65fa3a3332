import { LoamError } from '../errors.js'
import { silentLogger, type Logger } from '../logger.js'
import type { AbortableOptions } from '../abort.js'
import type { AgentTool } from './agent-tool.js'

/** A call as a model makes it. */
export interface ToolCallRequest {
  readonly name: string
  /** JSON text, as providers give it. */
  readonly arguments: string
}

/** What a call came to, for the model. */
export interface ToolCallResult {
  readonly content: string
  /** Whether it was not done; the content says why. */
  readonly isError: boolean
}

export interface CallToolOptions extends AbortableOptions {
  readonly logger?: Logger | undefined
  /** Names of tools that the model has and that are called elsewhere; it is told of these where it invents one. */
  readonly others?: readonly string[] | undefined
}

/**
 * Calls the tool that a model names. Whatever the model did wrong, or the tool could not do, is an answer to the model and no
 * exception; only an abort passes through.
 *
 * @example
 * await callTool(tools, { name: 'memory_search', arguments: '{"query":"Porto"}' })
 */
export async function callTool(
  tools: readonly AgentTool[],
  call: ToolCallRequest,
  { signal, logger = silentLogger, others = [] }: CallToolOptions = {},
): Promise<ToolCallResult> {
  const tool = tools.find(({ name }) => name === call.name)
  if (tool === undefined) {
    const names = [...tools.map(({ name }) => name), ...others].join(', ')
    return failed(
      `There is no tool ${JSON.stringify(call.name.slice(0, 100))}. There are: ${names}.`,
    )
  }
  const input = parseArguments(call.arguments)
  if (input === undefined) {
    return failed(`The arguments of ${tool.name} are no JSON object. Send them again.`)
  }
  try {
    return { content: await tool.run(input, { signal }), isError: false }
  } catch (error) {
    signal?.throwIfAborted()
    if (LoamError.isInstance(error) && !error.retryable) return failed(error.message)
    logger.error('tool-failed', { tool: tool.name, error })
    return failed(
      `${tool.name} failed for a reason that is not in its arguments. Go on without it.`,
    )
  }
}

/** Models leave the text empty where there is nothing to say. */
function parseArguments(text: string): object | undefined {
  if (text.trim() === '') return {}
  try {
    const value = JSON.parse(text) as unknown
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

function failed(content: string): ToolCallResult {
  return { content, isError: true }
}
