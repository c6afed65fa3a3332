import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

/** Where an agent's tools are, for whom they act, and the key for them. */
export interface McpAddress {
  /** Of the server, such as `http://127.0.0.1:7420`. */
  readonly url: string
  readonly apiKey: string
  readonly agent: string
  readonly user: string
}

/** Connects to an agent's tools for as long as they are used. */
export async function withClient<Result>(
  { url, apiKey, agent, user }: McpAddress,
  use: (client: Client) => Promise<Result>,
): Promise<Result> {
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
    return await use(client)
  } finally {
    await client.close()
  }
}
