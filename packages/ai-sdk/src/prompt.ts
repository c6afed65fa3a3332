import type { LanguageModelV3Message, LanguageModelV3Prompt } from '@ai-sdk/provider'
import type { ConversationClient } from './conversation.js'

/** What Loam says before a turn. */
export type Context = Awaited<ReturnType<ConversationClient['buildContext']>>

/** A prompt, divided into what is instruction and what was said. */
export interface DividedPrompt {
  /** The text of all system messages. */
  readonly instructions: string
  readonly said: LanguageModelV3Prompt
  /** What no answer follows. */
  readonly fresh: LanguageModelV3Prompt
}

/** See `DividedPrompt`. */
export function dividePrompt(prompt: LanguageModelV3Prompt): DividedPrompt {
  const said = prompt.filter(({ role }) => role !== 'system')
  const last = said.findLastIndex(({ role }) => role === 'assistant')
  const instructions = prompt.filter((message) => message.role === 'system')
  return {
    instructions: instructions.map(({ content }) => content).join('\n\n'),
    said,
    fresh: said.slice(last + 1),
  }
}

/** The context before what was said, for a model of some provider. */
export function withContext(
  context: Context,
  said: LanguageModelV3Prompt,
  provider: string,
): LanguageModelV3Prompt {
  const { message, slash, nudge } = context
  const isRewritten = slash.kind !== 'none' && message !== undefined
  const words = isRewritten ? withLastUserText(said, message) : said
  const isSpoken = said.at(-1)?.role === 'user'
  return [
    ...toSystemMessages(context, provider),
    ...words,
    ...(nudge !== undefined && isSpoken ? [userText(nudge)] : []),
  ]
}

/** Anthropic caches what is marked; others cache by prefix on their own, and many accept no second system message. */
function toSystemMessages({ stable, dynamic }: Context, provider: string): LanguageModelV3Prompt {
  const halves = [stable, dynamic].filter((half) => half !== '')
  if (!provider.includes('anthropic')) return [{ role: 'system', content: halves.join('\n\n') }]
  return halves.map((content) => ({
    role: 'system',
    content,
    ...(content === stable && {
      providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
    }),
  }))
}

/** A slash command has other words for the model than the user typed. */
function withLastUserText(said: LanguageModelV3Prompt, text: string): LanguageModelV3Prompt {
  const last = said.findLastIndex(({ role }) => role === 'user')
  return said.map((message, index) => {
    if (index !== last || message.role !== 'user') return message
    const files = message.content.filter((part) => part.type === 'file')
    return { ...message, content: [{ type: 'text', text }, ...files] }
  })
}

function userText(text: string): LanguageModelV3Message {
  return { role: 'user', content: [{ type: 'text', text }] }
}
