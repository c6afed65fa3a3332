import { startModelServer, type ModelServer } from '@loam/models/testing'

interface Asked {
  readonly messages: readonly { readonly role: string; readonly content: string }[]
}

/**
 * A model that needs no key, for examples: to a question it searches the memory and repeats what it found; to anything else it
 * says that it will remember. Yours would say it better.
 */
export function startLittleModel(): Promise<ModelServer> {
  return startModelServer({
    chat({ body }) {
      const { messages } = body as unknown as Asked
      const last = messages.at(-1)
      if (last?.role === 'tool') return `I remember this: ${last.content}`
      const question = messages.find(
        ({ role, content }) => role === 'user' && content.endsWith('?'),
      )
      if (question === undefined) return 'I will remember that.'
      const search = JSON.stringify({ query: question.content })
      return {
        text: null,
        toolCalls: [{ id: 'search', name: 'memory_search', arguments: search }],
        finishReason: 'tool_calls',
      }
    },
  })
}
