import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'

/** Sends JSON over connections that are kept open; as little of a client as will do, since it is measured too. */
export interface JsonClient {
  /** Where the server is. */
  readonly url: string
  /** @throws Error when the answer is no success. */
  post<Result>(path: string, body: unknown): Promise<Result>
  get<Result>(path: string): Promise<Result>
  close(): void
}

/** Makes a client of the server at that URL. */
export function createJsonClient(url: string, apiKey: string): JsonClient {
  // Servers close what rests for five seconds; a request that is sent at that moment would fail.
  const agent = new Agent({ keepAlive: true, maxSockets: 64, timeout: 4_000 })

  async function send<Result>(method: string, path: string, body?: string): Promise<Result> {
    const headers = {
      authorization: `Bearer ${apiKey}`,
      ...(body !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      }),
    }
    const outgoing = request(url + path, { agent, method, headers })
    outgoing.end(body)
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
    const { statusCode = 0 } = response
    const answer = await text(response)
    if (statusCode >= 200 && statusCode < 300) return JSON.parse(answer) as Result
    throw new Error(`${method} ${path} was answered ${statusCode}: ${answer}`)
  }

  return {
    url,
    post: (path, body) => send('POST', path, JSON.stringify(body)),
    get: (path) => send('GET', path),
    close: () => agent.destroy(),
  }
}
