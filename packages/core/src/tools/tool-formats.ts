import { z } from 'zod'
import type { AgentTool, ToolEffects } from './agent-tool.js'

/** A tool as the OpenAI API takes it. */
export interface OpenAiTool {
  readonly type: 'function'
  readonly function: {
    readonly name: string
    readonly description: string
    readonly parameters: Readonly<Record<string, unknown>>
  }
}

/** A tool as the Anthropic API takes it. */
export interface AnthropicTool {
  readonly name: string
  readonly description: string
  readonly input_schema: Readonly<Record<string, unknown>>
}

/** A tool as the AI SDK takes it. */
export interface AiSdkTool {
  readonly description: string
  readonly inputSchema: z.ZodType
  readonly execute: (
    input: unknown,
    options?: { readonly abortSignal?: AbortSignal | undefined },
  ) => Promise<string>
}

type SaidEffects = { readonly [Effect in keyof ToolEffects]-?: boolean }

/** A tool in words and JSON alone, as it is told to another process. */
export interface ToolDescription extends SaidEffects {
  readonly name: string
  readonly title: string | undefined
  readonly description: string
  /** JSON Schema of an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>
}

/** For an API or a protocol that lists tools; every effect is said. */
export function describeTools(tools: readonly AgentTool[]): ToolDescription[] {
  return tools.map(({ name, title, description, inputSchema, ...effects }) => {
    const { isReadOnly, isDestructive, isIdempotent, isOpenWorld } = effects
    return {
      name,
      title,
      description,
      inputSchema: jsonSchemaOf(inputSchema),
      isReadOnly,
      isDestructive: isDestructive ?? !isReadOnly,
      isIdempotent: isIdempotent ?? isReadOnly,
      isOpenWorld: isOpenWorld ?? true,
    }
  })
}

/** For `tools` of a request to an OpenAI-compatible endpoint. */
export function toOpenAiTools(tools: readonly AgentTool[]): OpenAiTool[] {
  return tools.map(({ name, description, inputSchema }) => ({
    type: 'function',
    function: { name, description, parameters: jsonSchemaOf(inputSchema) },
  }))
}

/** For `tools` of a request to Anthropic's messages API. */
export function toAnthropicTools(tools: readonly AgentTool[]): AnthropicTool[] {
  return tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    input_schema: jsonSchemaOf(inputSchema),
  }))
}

/** For `tools` of `generateText` and `streamText`, by name. */
export function toAiSdkTools(tools: readonly AgentTool[]): Record<string, AiSdkTool> {
  return Object.fromEntries(
    tools.map((tool) => [
      tool.name,
      {
        description: tool.description,
        inputSchema: tool.inputSchema,
        execute: (input, { abortSignal } = {}) => tool.run(input, { signal: abortSignal }),
      } satisfies AiSdkTool,
    ]),
  )
}

/** Providers want an object without a reference to the draft of JSON Schema. */
function jsonSchemaOf(schema: z.ZodType): Readonly<Record<string, unknown>> {
  const { $schema: _draft, ...rest } = z.toJSONSchema(schema, { io: 'input' })
  return rest
}
