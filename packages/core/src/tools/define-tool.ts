import type { z } from 'zod'
import { InvalidInputError } from '../errors.js'
import { toInputIssues } from '../plain-issues.js'
import type { AgentTool, ToolDefinition } from './agent-tool.js'

/** Makes a tool that checks its input before it does anything. */
export function defineTool<Schema extends z.ZodType>(
  definition: ToolDefinition<Schema>,
): AgentTool {
  const { inputSchema, name } = definition
  return {
    ...definition,
    async run(input, options = {}) {
      const parsed = inputSchema.safeParse(input)
      if (parsed.success) return await definition.run(parsed.data, options)
      const issues = toInputIssues(parsed.error)
      const list = issues.map(({ path, message }) =>
        path === '' ? message : `${path}: ${message}`,
      )
      throw new InvalidInputError({
        message: `The arguments of ${name} are not valid. ${list.join('; ')}.`,
        issues,
      })
    },
  }
}
