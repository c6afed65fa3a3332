import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ConfigurationError } from '@loam/core'
import type { Runtime } from '@loam/runtime'
import { createApi } from './api.js'
import { createExpectationListener, createRequestListener } from './request-listener.js'
import { announceServer, withdrawServer } from './server-file.js'

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

/** How to serve. */
export interface ServeApiOptions {
  readonly runtime: Runtime
  /** Default: `host` of the runtime's configuration. */
  readonly host?: string | undefined
  /** 0 picks a free one. Default: `port` of the runtime's configuration. */
  readonly port?: number | undefined
  /** How long `close` waits for the requests in hand before it cuts them off. Default 10,000. */
  readonly drainMs?: number | undefined
  /** Whether to write `server.json` into the home folder, where commands look for it. Default: when the store is embedded. */
  readonly announce?: boolean | undefined
}

/** A server that listens. */
export interface ApiServer {
  /** Where it answers, such as `http://127.0.0.1:7420`. */
  readonly url: string
  /** Takes no further connection, waits for the requests in hand, and leaves the runtime open. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Serves the API of a runtime over HTTP. Resolves when it listens.
 *
 * @throws ConfigurationError when host and port cannot be listened on, or `server.json` cannot be written.
 */
export async function serveApi(options: ServeApiOptions): Promise<ApiServer> {
  const { runtime, drainMs = 10 * SECOND } = options
  const { config, storage } = runtime
  const { host = config.host, port = config.port } = options
  const { announce = storage.engine === 'pglite' } = options
  const server = createServer(SERVER_OPTIONS, createRequestListener(createApi(runtime), runtime))
  server.on('checkExpectation', createExpectationListener(runtime))
  const url = urlOf(host, await listen(server, host, port))
  const running = { url, pid: process.pid }
  try {
    if (announce) await announceServer(config.home, running)
  } catch (error) {
    // Left listening, it would keep the process from ending.
    await drain(server, 0)
    throw error
  }
  let closed: Promise<void> | undefined
  const close = () => (closed ??= shutDown())
  async function shutDown() {
    const withdrawn = announce ? withdrawServer(config.home, running) : undefined
    await Promise.all([drain(server, drainMs), withdrawn])
  }
  return { url, close, [Symbol.asyncDispose]: close }
}

async function listen(server: Server, host: string, port: number): Promise<number> {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error'
    const message = `Cannot listen on ${host}:${port} (${code}). Set LOAM_HOST and LOAM_PORT to an address of this machine that is free; port 0 picks one.`
    throw new ConfigurationError({ message, issues: [{ path: 'LOAM_PORT', message }], cause })
  }
  return (server.address() as AddressInfo).port
}

async function drain(server: Server, drainMs: number): Promise<void> {
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
