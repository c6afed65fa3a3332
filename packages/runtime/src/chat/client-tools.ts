import { InvalidInputError } from '@loam/core'

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

/**
 * Checks that a call of each tool is for one of the two to make, and for one tool.
 *
 * @throws InvalidInputError for the name of one of Loam's tools, and for one that two tools have.
 */
export function checkClientTools(tools: readonly unknown[], own: readonly string[]): void {
  const names = tools.map((tool) => describeTool(tool).name)
  const issues = names.flatMap((name, index) => {
    const path = `tools.${index}.function.name`
    if (own.includes(name)) {
      const message = `"${name}" is a tool of Loam's, which has ${own.join(', ')}. Give yours another name`
      return [{ path, message }]
    }
    return names.indexOf(name) === index ? [] : [{ path, message: `"${name}" is there twice` }]
  })
  const [first] = issues
  if (first === undefined) return
  throw new InvalidInputError({ message: `${first.path}: ${first.message}.`, issues })
}
