import type { SystemPrompt } from './build-system-prompt.js'

/** One block of the `system` parameter of Anthropic's messages API. */
export interface AnthropicSystemBlock {
  readonly type: 'text'
  readonly text: string
  readonly cache_control?: { readonly type: 'ephemeral' }
}

/** The prompt as blocks for Anthropic, the stable half marked for caching. One block, unmarked, in seed order. */
export function toAnthropicSystem(
  prompt: Pick<SystemPrompt, 'stable' | 'dynamic'>,
): AnthropicSystemBlock[] {
  const { stable, dynamic } = prompt
  const blocks: AnthropicSystemBlock[] = [
    { type: 'text', text: stable, cache_control: { type: 'ephemeral' } },
    { type: 'text', text: dynamic },
  ]
  return blocks.filter(({ text }) => text !== '')
}

/** One message for an OpenAI-compatible API. */
export interface OpenAiSystemMessage {
  readonly role: 'system'
  readonly content: string
}

/**
 * The prompt as one system message, without the boundary: these APIs cache by prefix on their own, and many accept no
 * second system message.
 */
export function toOpenAiMessages(
  prompt: Pick<SystemPrompt, 'stable' | 'dynamic'>,
): OpenAiSystemMessage[] {
  const { stable, dynamic } = prompt
  const content = [stable, dynamic].filter((half) => half !== '').join('\n\n')
  return [{ role: 'system', content }]
}
