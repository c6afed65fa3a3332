/** What a client says of a tool of its own, in the form of OpenAI's API. */
export interface ClientTool {
  readonly name: string
  readonly description: string | undefined
}

/** Name and description of a client's tool; a name of `''` for one without. */
export function describeTool(tool: unknown): ClientTool {
  const { function: described } = (tool ?? {}) as {
    readonly function?: { readonly name?: unknown; readonly description?: unknown }
  }
  const { name, description } = described ?? {}
  return {
    name: typeof name === 'string' ? name : '',
    description: typeof description === 'string' ? description : undefined,
  }
}
