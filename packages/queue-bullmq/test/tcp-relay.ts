import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** Stands between a client and a Redis. */
export interface Relay {
  /** The URL of the Redis by way of the relay. */
  readonly url: string
  /** Lets nothing pass any more on the connections that are open, as a network that drops packets; new ones work. */
  silenceConnections(): void
  close(): void
}

/** Makes a relay to the Redis of a URL. */
export async function createRelay(target: string): Promise<Relay> {
  const { hostname, port } = new URL(target)
  const pairs = new Set<{ near: Socket; far: Socket }>()
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    const pair = { near, far }
    pairs.add(pair)
    near.pipe(far)
    far.pipe(near)
    for (const socket of [near, far]) {
      socket.on('error', () => {})
      socket.on('close', () => pairs.delete(pair))
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(target)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    silenceConnections() {
      for (const { near, far } of pairs) {
        near.unpipe(far).pause()
        far.unpipe(near).pause()
      }
    },
    close() {
      for (const { near, far } of pairs) {
        near.destroy()
        far.destroy()
      }
      server.close()
    },
  }
}
