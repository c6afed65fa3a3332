import type { components } from './generated/api.js'
import { routes } from './generated/routes.js'
import type { RequestOptions } from './methods.js'
import { errorOf } from './read-error.js'
import { parseObject } from './read-json.js'
import { newId } from './repeatable.js'
import { cutOff, readEvents } from './server-sent-events.js'
import type { Transport } from './transport.js'

type CompletionRequest = components['schemas']['ChatCompletionRequest']

/** A whole answer, in OpenAI's shape. */
export type ChatCompletion = components['schemas']['ChatCompletion']

/** A piece of an answer on its way, in OpenAI's shape. */
export type ChatCompletionChunk = components['schemas']['ChatCompletionChunk']

/** One request of a conversation with an agent. */
export interface ChatInput extends Omit<CompletionRequest, 'model' | 'user' | 'stream'> {
  /** Key of the agent. */
  readonly agent: string
  /** Whose memory it is. May be left out with a key that is bound to a user. */
  readonly userId?: string | undefined
  /** Key of the session. Default: `chat/<userId>`. */
  readonly session?: string | undefined
  /** The conversation, or only what is new of it. */
  readonly messages: CompletionRequest['messages']
  /** Names the request: sent again with the same name, it is stored once and answered as before. Default: a new one. */
  readonly idempotencyKey?: string | undefined
}

/** The two ways to talk to an agent. */
export interface Chat {
  /** Talks to an agent, and answers when it has ended. */
  chat(input: ChatInput, options?: RequestOptions): Promise<ChatCompletion>
  /** Talks to an agent, and tells its answer as it comes. Whoever stops reading ends it. */
  streamChat(input: ChatInput, options?: RequestOptions): AsyncGenerator<ChatCompletionChunk>
}

/** Makes both ways over a transport. */
export function createChat(send: Transport): Chat {
  const request = (input: ChatInput, stream: boolean, { signal }: RequestOptions) => {
    const { agent, userId, session, idempotencyKey = newId(), ...rest } = input
    const user = userId === undefined ? {} : { user: userId }
    return send({
      method: routes.createChatCompletion.method,
      path: routes.createChatCompletion.path.slice(1),
      headers: {
        'idempotency-key': idempotencyKey,
        ...(session !== undefined && { 'x-loam-session-id': encodeURIComponent(session) }),
      },
      json: { ...rest, ...user, model: `loam:${agent}`, stream },
      signal,
      isRepeatable: true,
      isUnhurried: true,
      isStreamed: stream,
    })
  }
  return {
    async chat(input, options = {}) {
      const response = await request(input, false, options)
      return parseObject(await response.text(), response) as ChatCompletion
    },
    async *streamChat(input, options = {}) {
      const response = await request(input, true, options)
      for await (const { data } of readEvents(response, options)) {
        if (data === '[DONE]') return
        const chunk = parseObject(data, response)
        if ('error' in chunk) throw errorOf(chunk, response)
        yield chunk as ChatCompletionChunk
      }
      throw cutOff(response)
    },
  }
}
