import type { Runtime } from '@loam/runtime'
import { createApi } from './api.js'
import { drain, listen } from './http-server.js'
import { createExpectationListener, createRequestListener } from './request-listener.js'
import { announceServer, withdrawServer } from './server-file.js'

/** How to serve. */
export interface ServeApiOptions {
  readonly runtime: Runtime
  /** Default: `host` of the runtime's configuration. */
  readonly host?: string | undefined
  /** 0 picks a free one. Default: `port` of the runtime's configuration. */
  readonly port?: number | undefined
  /** How long `close` waits for the requests in hand before it cuts them off. Default: `drainMs` of the configuration. */
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
  const { runtime } = options
  const { config, storage } = runtime
  const { host = config.host, port = config.port, drainMs = config.drainMs } = options
  const { announce = storage.engine === 'pglite' } = options
  const { server, url } = await listen(createRequestListener(createApi(runtime), runtime), {
    host,
    port,
    portVariable: 'LOAM_PORT',
  })
  server.on('checkExpectation', createExpectationListener(runtime))
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
