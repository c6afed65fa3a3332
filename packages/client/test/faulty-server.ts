import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a server does with a request instead of answering it well. */
export type Reaction = (request: IncomingMessage, response: ServerResponse) => void

/** Answers with a text of JSON. */
export function answerWith(body: string): Reaction {
  return (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  }
}

/** Begins an answer, and breaks off in its middle. */
export function breakOff(request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
  response.write('{"items":', () => request.socket.destroy())
}

/** A server that reacts to the first request by the first reaction, and so on; the last goes for all that follow. */
export async function startFaultyServer(...reactions: readonly [Reaction, ...Reaction[]]) {
  const asked: IncomingMessage[] = []
  const server = createServer((request, response) => {
    reactions[Math.min(asked.length, reactions.length - 1)]?.(request, response)
    asked.push(request)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: () => asked.length,
    /** What the requests said in a header, in order. */
    headers: (name: string) => asked.map(({ headers }) => headers[name]),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}

/** Passes requests on to a server, and lets answers get lost. */
export async function startLossyProxy(target: string, { losing }: { readonly losing: number }) {
  let lost = 0
  return await startFaultyServer((request, response) => {
    void (async () => {
      const body: Buffer[] = []
      for await (const part of request) body.push(part as Buffer)
      const answer = await fetch(`${target}${request.url}`, {
        method: request.method ?? 'GET',
        headers: {
          authorization: request.headers.authorization ?? '',
          'content-type': request.headers['content-type'] ?? '',
        },
        ...(body.length > 0 && { body: Buffer.concat(body) }),
      })
      const text = await answer.text()
      if (lost < losing) {
        lost += 1
        request.socket.destroy()
      } else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
    })()
  })
}
