import type { LanguageModelV3CallOptions } from '@ai-sdk/provider'

/** Marks the tools of Loam among those of a call. Providers look at their own options alone. */
export const OWN_TOOL = { loam: { isOwn: true } }

/** Names of Loam's own tools. */
export function ownToolNames({ tools = [] }: LanguageModelV3CallOptions): ReadonlySet<string> {
  return new Set(
    tools
      .filter((tool) => tool.type === 'function' && tool.providerOptions?.['loam'] !== undefined)
      .map(({ name }) => name),
  )
}
