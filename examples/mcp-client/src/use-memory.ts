import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

/** Where an agent's tools are, and the key for them. */
export interface McpAddress {
  /** Of the server, such as `http://127.0.0.1:7420`. */
  readonly url: string
  readonly apiKey: string
  readonly agent: string
  readonly user: string
}

/** Lists an agent's tools, keeps something with them, and finds it again; tells what came of it. */
export async function useMemory({ url, apiKey, agent, user }: McpAddress): Promise<string[]> {
  const address = new URL('/mcp', url)
  address.search = new URLSearchParams({ agent, user }).toString()
  const client = new Client(
    { name: 'example', version: '1.0.0' },
    { versionNegotiation: { mode: 'auto' } },
  )
  await client.connect(
    new StreamableHTTPClientTransport(address, {
      requestInit: { headers: { Authorization: `Bearer ${apiKey}` } },
    }),
  )
  try {
    const { tools } = await client.listTools()
    const lines = tools.map(
      ({ title, annotations }) =>
        `${title}: ${annotations?.readOnlyHint ? 'only reads' : 'may be asked about first'}`,
    )
    await client.callTool({
      name: 'write_file',
      arguments: { path: 'memory/travel.md', content: 'Ana takes the night train to Vienna.' },
    })
    const { content } = await client.callTool({
      name: 'memory_search',
      arguments: { query: 'How does Ana get to Vienna?' },
    })
    return [...lines, ...content.flatMap((part) => (part.type === 'text' ? [part.text] : []))]
  } finally {
    await client.close()
  }
}
