import type { Readable, Writable } from 'node:stream'
import { silentLogger } from '@loam/core'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { createMcpServer, type McpServerOptions } from './create-mcp-server.js'

/** What to serve, and over which streams. */
export interface ServeMcpStdioOptions extends McpServerOptions {
  /** Default: standard input. */
  readonly input?: Readable | undefined
  /** Default: standard output, where nothing else may be written then. */
  readonly output?: Writable | undefined
  /** Ends the serving. */
  readonly signal?: AbortSignal | undefined
}

/** Longest line that is read. */
const MAX_LINE_BYTES = 10 * 1024 * 1024

/** Serves one client over standard input and output, and resolves when it has gone, its stream broke, or the signal says so. */
export async function serveMcpStdio(options: ServeMcpStdioOptions): Promise<void> {
  const { input, output, signal, logger = silentLogger } = options
  const transport = new StdioServerTransport(input, output, { maxBufferSize: MAX_LINE_BYTES })
  const connection = serveStdio(() => createMcpServer(options), {
    transport,
    onerror: ({ name, message }) => {
      logger.warn('mcp-connection-fault', { error: { name, message } })
    },
  })
  const closed = new Promise<void>((resolve) => {
    // The connection has its own handler by now, and tells nobody when it ends.
    const { onclose } = transport
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport is no event target
    transport.onclose = () => {
      onclose?.()
      resolve()
    }
  })
  const stop = () => {
    void connection.close()
  }
  if (signal?.aborted) stop()
  signal?.addEventListener('abort', stop, { once: true })
  await closed
  signal?.removeEventListener('abort', stop)
}
