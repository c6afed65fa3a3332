import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { sendReply, type ModelReply } from './model-reply.js'

export type { ModelReply } from './model-reply.js'

/** A request that the scripted server has received. */
export interface ModelServerRequest {
  readonly kind: 'chat' | 'embeddings' | 'unknown'
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The JSON body. */
  readonly body: Readonly<Record<string, unknown>>
  /** How many requests of this kind came before. */
  readonly index: number
}

/** Rules that answer the requests of each kind. */
export interface ModelServerOptions {
  /** Answers `POST /chat/completions`. Default: status 404. */
  readonly chat?: (request: ModelServerRequest) => ModelReply | Promise<ModelReply>
  /** Answers `POST /embeddings`. Default: status 404. */
  readonly embeddings?: (request: ModelServerRequest) => ModelReply | Promise<ModelReply>
}

/** A running scripted server. */
export interface ModelServer extends AsyncDisposable {
  /** For the `baseUrl` of a model. */
  readonly baseUrl: string
  /** What has been received, in order. */
  readonly requests: readonly ModelServerRequest[]
  /** How many requests of a kind have been received. */
  count(kind: ModelServerRequest['kind']): number
  /** Drops every connection and stops. */
  close(): Promise<void>
}

/**
 * Starts an OpenAI-compatible HTTP server on 127.0.0.1 that answers by rule, for tests.
 *
 * @example
 * const server = await startModelServer({ chat: ({ index }) => (index === 0 ? { status: 500 } : 'Hello') })
 */
export async function startModelServer(rules: ModelServerOptions): Promise<ModelServer> {
  const requests: ModelServerRequest[] = []
  const count = (kind: ModelServerRequest['kind']) =>
    requests.filter((request) => request.kind === kind).length

  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    const path = incoming.url ?? ''
    const kind = kindOf(path)
    const body = JSON.parse((await text(incoming)) || '{}') as Record<string, unknown>
    const index = count(kind)
    const request = { kind, path, headers: incoming.headers, body, index }
    requests.push(request)
    const rule = kind === 'unknown' ? undefined : rules[kind]
    const reply = rule ? await rule(request) : { status: 404 }
    await sendReply(response, reply, {
      model: String(body.model),
      stream: body.stream === true,
    })
  }

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => {
      response.writeHead(500, { 'content-type': 'application/json', 'x-loam-rule': 'failed' })
      response.end(JSON.stringify({ error: { message: `The rule failed: ${String(error)}` } }))
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const close = async () => {
    server.closeAllConnections()
    if (!server.listening) return
    await new Promise((resolve) => {
      server.close(resolve)
    })
  }
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    count,
    close,
    [Symbol.asyncDispose]: close,
  }
}

function kindOf(path: string): ModelServerRequest['kind'] {
  if (path.endsWith('/chat/completions')) return 'chat'
  return path.endsWith('/embeddings') ? 'embeddings' : 'unknown'
}
