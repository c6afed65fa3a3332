import { startModelServer, type ModelReply, type ModelServer } from '@loam/models/testing'
import OpenAI from 'openai'
import type { ClientOptions } from 'openai'
import { serveApi, type ApiServer } from '../../src/node.js'
import { openTestApi, type TestApi } from '../open-test-api.js'

/** What a model is asked, as far as tests look at it. */
export interface AskedModel {
  readonly messages: readonly {
    readonly role: string
    readonly content: string
    readonly tool_calls?: readonly { readonly function: { readonly name: string } }[]
  }[]
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
  /** How many requests came before since the rule was set. */
  readonly index: number
}

/** A rule that answers for the model. */
export type ModelRule = (asked: AskedModel) => ModelReply | Promise<ModelReply>

/** A server over real HTTP with a scripted model behind it. */
export interface ChatWorld {
  readonly test: TestApi
  readonly server: ApiServer
  readonly model: ModelServer
  /** From now on the model answers so. */
  answer(rule: ModelRule): void
  /** A client of OpenAI's; it does not try again unless told. */
  client(options?: ClientOptions): OpenAI
  /** Role and text of what is stored of a session, in order. */
  stored(agent: string, session: string, userId: string): Promise<readonly StoredMessage[]>
  close(): Promise<void>
}

/** See `ChatWorld.stored`. */
export interface StoredMessage {
  readonly role: string
  readonly content: unknown
  readonly origin: string
  readonly toolCalls?: readonly { readonly name: string }[]
}

const silent: ModelRule = () => ({ status: 404 })

/** Opens a world; its model says nothing until it is told what. */
export async function openChatWorld(): Promise<ChatWorld> {
  let rule = silent
  let begun = 0
  const model = await startModelServer({
    chat: ({ body, index }) => rule({ ...(body as unknown as AskedModel), index: index - begun }),
  })
  const test = await openTestApi({
    LOAM_MODEL_BASE_URL: model.baseUrl,
    LOAM_CHAT_MODEL: 'scripted',
  })
  const server = await serveApi({ runtime: test.runtime, port: 0 })
  const apiKey = await test.addKey({})
  return {
    test,
    server,
    model,
    answer(next) {
      rule = next
      begun = model.count('chat')
    },
    client: (options) =>
      new OpenAI({ apiKey, baseURL: `${server.url}/v1`, maxRetries: 0, ...options }),
    async stored(agent, session, userId) {
      const path = `/v1/agents/${agent}/sessions/${encodeURIComponent(session)}/messages`
      const { status, body } = await test.send('GET', `${path}?userId=${userId}&limit=200`)
      if (status === 404) return []
      return body.items.map(({ role, content, origin, toolCalls }: StoredMessage) => ({
        role,
        content,
        origin,
        ...(toolCalls && { toolCalls }),
      }))
    },
    async close() {
      await server.close()
      await test.close()
      await model.close()
    },
  }
}
