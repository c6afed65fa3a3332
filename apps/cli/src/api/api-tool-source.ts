import type { ToolCallResult, ToolDescription } from '@loam/core'
import type { ToolSource } from '@loam/mcp'
import type { ApiClient } from './api-client.js'
import { route, withQuery } from './route.js'

/** For whom the tools act. */
export interface ApiToolSourceOptions {
  readonly agent: string
  readonly user: string
}

/** The tools of an agent for a user, listed and called over the API. */
export function createApiToolSource(
  client: ApiClient,
  { agent, user }: ApiToolSourceOptions,
): ToolSource {
  /** Names that were in a list, so that not every call asks for one. */
  let known: ReadonlySet<string> = new Set()
  const list: ToolSource['list'] = async (options) => {
    const path = withQuery(route`/v1/agents/${agent}/tools`, { userId: user })
    const { items } = await client.get<{ readonly items: readonly ToolDescription[] }>(
      path,
      options,
    )
    known = new Set(items.map(({ name }) => name))
    return items
  }
  return {
    list,
    async call({ name, arguments: written }, options) {
      if (!known.has(name)) await list(options)
      if (!known.has(name)) return undefined
      const path = route`/v1/agents/${agent}/tools/${name}`
      return await client.post<ToolCallResult>(path, { userId: user, arguments: written }, options)
    },
  }
}
