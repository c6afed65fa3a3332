import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ConfigurationError } from '@loam/core'

const SECOND = 1000

/** Times and sizes that keep a slow or broken client from holding a connection for ever. */
const SERVER_OPTIONS = {
  headersTimeout: 20 * SECOND,
  requestTimeout: 120 * SECOND,
  // Longer than the idle time of common load balancers, so that it is they who close.
  keepAliveTimeout: 65 * SECOND,
  maxHeaderSize: 32 * 1024,
}

/** How often connections that have become idle are closed while the server drains. */
const DRAIN_CHECK_MS = 20

/** Where to listen. */
export interface Listening {
  readonly host: string
  /** 0 picks a free one. */
  readonly port: number
  /** The setting that names the port, for the error when it is taken. */
  readonly portVariable: string
}

/**
 * Makes a server that listens, and the URL where it answers.
 *
 * @throws ConfigurationError when host and port cannot be listened on.
 */
export async function listen(
  listener: RequestListener,
  { host, port, portVariable }: Listening,
): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer(SERVER_OPTIONS, listener)
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error'
    const message = `Cannot listen on ${host}:${port} (${code}). Set LOAM_HOST and ${portVariable} to an address of this machine that is free; port 0 picks one.`
    throw new ConfigurationError({ message, issues: [{ path: portVariable, message }], cause })
  }
  return { server, url: urlOf(host, (server.address() as AddressInfo).port) }
}

/** Takes no further connection, and waits up to `drainMs` for the requests in hand before it cuts them off. */
export async function drain(server: Server, drainMs: number): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  // A connection that was busy just now stays open for its next request, unless it is closed when it has become idle.
  const sweep = setInterval(() => {
    server.closeIdleConnections()
  }, DRAIN_CHECK_MS)
  const cutOff = setTimeout(() => {
    server.closeAllConnections()
  }, drainMs)
  await closed
  clearInterval(sweep)
  clearTimeout(cutOff)
}

function urlOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}
