import {
  callTool,
  describeTools,
  silentLogger,
  type AbortableOptions,
  type AgentTool,
  type Logger,
  type ToolCallRequest,
  type ToolCallResult,
  type ToolDescription,
} from '@loam/core'

/** The tools of one agent for one user, wherever they run. Whom they act for is settled when it is made, and no call can change it. */
export interface ToolSource {
  list(options?: AbortableOptions): Promise<readonly ToolDescription[]>
  /** What a call came to, also when the tool could not do it; undefined when there is no tool of that name. */
  call(request: ToolCallRequest, options?: AbortableOptions): Promise<ToolCallResult | undefined>
}

/** The source of tools that run in this process. */
export function toolSourceOf(
  tools: readonly AgentTool[],
  { logger = silentLogger }: { readonly logger?: Logger | undefined } = {},
): ToolSource {
  return {
    list: async () => describeTools(tools),
    async call(request, { signal } = {}) {
      if (!tools.some(({ name }) => name === request.name)) return undefined
      return await callTool(tools, request, { signal, logger })
    },
  }
}
