import { LoamError, silentLogger, type Logger, type ToolDescription } from '@loam/core'
import {
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type Tool,
} from '@modelcontextprotocol/server'
import { AGENT_INSTRUCTIONS } from './instructions.js'
import { isDeeperThan } from './json-depth.js'
import { listParams } from './list-params.js'
import type { ToolSource } from './tool-source.js'

/** What an MCP server offers, and how it presents itself. */
export interface McpServerOptions {
  readonly tools: ToolSource
  /** Of the program that serves, such as its package's. */
  readonly version: string
  /** Default: `loam`. */
  readonly name?: string | undefined
  /** What people see in a list of servers. Default: `Loam`. */
  readonly title?: string | undefined
  /** What the model is told of the tools as a whole. Default: `AGENT_INSTRUCTIONS`. */
  readonly instructions?: string | undefined
  /** Default: silent. Arguments and results are never logged. */
  readonly logger?: Logger | undefined
  /** What a client may be told of an error that the source threw; undefined for nothing. Default: the message of a `LoamError` that is final. */
  readonly describeError?: ((error: unknown) => string | undefined) | undefined
}

/** Longest arguments of a call, as JSON, in UTF-16 code units: as over Loam's HTTP API. */
const MAX_ARGUMENTS_LENGTH = 1024 * 1024
/** Deepest nesting of arguments, as there. */
const MAX_ARGUMENTS_DEPTH = 32
/** Of a name that a client sent, how much an error repeats. */
const MAX_NAME_LENGTH = 100
/** Control characters, other ends of lines, and the marks that turn the direction of what follows them. */
const LINE_BREAKING = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]+/gu

/**
 * Makes an MCP server for one connection, or for one request over HTTP: a server of the official SDK, to be connected to any of
 * its transports.
 *
 * What a tool could not do is a result with `isError`, which the model reads; a tool that is not there is an error of the protocol.
 *
 * @example
 * const server = createMcpServer({ tools: toolSourceOf(agentTools), version: '1.0.0' })
 */
export function createMcpServer(options: McpServerOptions): McpServer {
  const { tools, version, name = 'loam', title = 'Loam' } = options
  const { instructions = AGENT_INSTRUCTIONS, logger = silentLogger } = options
  const { describeError = messageOfFinalError } = options
  const server = new McpServer(
    // It may hold a name that somebody gave an agent, and is shown in terminals.
    { name, title: title.replaceAll(LINE_BREAKING, ' ').trim(), version },
    // Left out, it would be announced, and clients would hold a stream open for changes that never come.
    { capabilities: { tools: { listChanged: false } }, instructions },
  )

  /** What a client is told of an error; what it may not know is in the log instead. */
  function explain(error: unknown, method: string, otherwise: string): string {
    const message = describeError(error)
    if (message !== undefined) return message
    // A cause may quote what was to be stored, which is no matter for a log.
    const { name: kind, message: reason, stack } = toError(error)
    logger.error('mcp-request-failed', { method, error: { name: kind, message: reason, stack } })
    return otherwise
  }

  server.server.setRequestHandler(
    'tools/list',
    { params: listParams },
    async (_params, { mcpReq: { signal } }) => {
      try {
        return { tools: (await tools.list({ signal })).map(toMcpTool) }
      } catch (error) {
        signal.throwIfAborted()
        const message = explain(error, 'tools/list', 'The tools cannot be listed at present.')
        throw new ProtocolError(ProtocolErrorCode.InternalError, message)
      }
    },
  )

  server.server.setRequestHandler('tools/call', async ({ params }, { mcpReq: { signal } }) => {
    if (isDeeperThan(MAX_ARGUMENTS_DEPTH, params.arguments)) {
      return failed(
        `The arguments are nested deeper than ${MAX_ARGUMENTS_DEPTH} levels. Send them in a flatter form.`,
      )
    }
    const call = { name: params.name, arguments: JSON.stringify(params.arguments ?? {}) }
    if (call.arguments.length > MAX_ARGUMENTS_LENGTH) {
      return failed(
        `The arguments have ${call.arguments.length} characters as JSON; ${MAX_ARGUMENTS_LENGTH} are allowed. Send less at once.`,
      )
    }
    let result
    try {
      result = await tools.call(call, { signal })
    } catch (error) {
      signal.throwIfAborted()
      const otherwise =
        'The tool failed for a reason that is not in its arguments. Go on without it.'
      return failed(explain(error, 'tools/call', otherwise))
    }
    if (result === undefined) {
      const shown = JSON.stringify(call.name.slice(0, MAX_NAME_LENGTH))
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no tool ${shown}. Ask for tools/list to see which there are.`,
      )
    }
    return toMcpResult(result.content, result.isError)
  })
  return server
}

function toMcpTool(tool: ToolDescription): Tool {
  const { name, title, description, inputSchema } = tool
  const annotations = {
    readOnlyHint: tool.isReadOnly,
    destructiveHint: tool.isDestructive,
    idempotentHint: tool.isIdempotent,
    openWorldHint: tool.isOpenWorld,
  }
  return {
    name,
    description,
    inputSchema: { ...inputSchema, type: 'object' },
    // Clients of older revisions look for the title among the annotations.
    ...(title === undefined ? { annotations } : { title, annotations: { title, ...annotations } }),
  }
}

function toMcpResult(text: string, isError: boolean): CallToolResult {
  return { content: [{ type: 'text', text }], isError }
}

function failed(text: string): CallToolResult {
  return toMcpResult(text, true)
}

function messageOfFinalError(error: unknown): string | undefined {
  return LoamError.isInstance(error) && !error.retryable ? error.message : undefined
}

function toError(value: unknown): Error {
  return value instanceof Error ? value : new Error(String(value))
}
