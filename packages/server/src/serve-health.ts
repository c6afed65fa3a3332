import type { Runtime } from '@loam/runtime'
import { createHealthApi } from './api.js'
import { drain, listen } from './http-server.js'
import { createRequestListener } from './request-listener.js'
import type { ApiServer } from './serve-api.js'

/** Where to answer. */
export interface ServeHealthOptions {
  readonly runtime: Runtime
  /** Default: `host` of the runtime's configuration. */
  readonly host?: string | undefined
  /** 0 picks a free one. Default: `workerPort` of the runtime's configuration. */
  readonly port?: number | undefined
}

/**
 * Serves the health checks of a process without an API, such as a worker: `GET /health/live` and `GET /health/ready`.
 *
 * @throws ConfigurationError when host and port cannot be listened on.
 */
export async function serveHealth(options: ServeHealthOptions): Promise<ApiServer> {
  const { runtime } = options
  const { config } = runtime
  const { host = config.host, port = config.workerPort } = options
  const { server, url } = await listen(createRequestListener(createHealthApi(runtime), runtime), {
    host,
    port,
    portVariable: 'LOAM_WORKER_PORT',
  })
  let closed: Promise<void> | undefined
  // A probe is answered at once or not at all.
  const close = () => (closed ??= drain(server, 0))
  return { url, close, [Symbol.asyncDispose]: close }
}
