import type { Client } from '@modelcontextprotocol/client'

/** Tells what the agent's tools are, and which of them only read. */
export async function describeTools(client: Client): Promise<readonly string[]> {
  const { tools } = await client.listTools()
  return tools.map(
    ({ title, annotations }) =>
      `${title}: ${annotations?.readOnlyHint ? 'only reads' : 'may be asked about first'}`,
  )
}

/** Keeps a note, as a model does that learned something. */
export async function remember(client: Client, note: string): Promise<void> {
  await call(client, 'write_file', { path: 'memory/travel.md', content: note })
}

/** What is known that may answer a question, whichever connection it was kept in. */
export async function recall(client: Client, question: string): Promise<string> {
  return await call(client, 'memory_search', { query: question })
}

/** Calls a tool. What it could not do is a result too, which a model would read. */
async function call(
  client: Client,
  name: string,
  given: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { content, isError } = await client.callTool({ name, arguments: given })
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  if (isError) throw new Error(text)
  return text
}
