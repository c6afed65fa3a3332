import type { AbortableOptions } from '@loam/core'
import type { ToolSource } from '@loam/mcp'
import type { ApiClient } from './api-client.js'
import { ApiError } from './api-error.js'
import type { Connection } from './connect.js'

/** How the tools are reached. */
export interface LazyToolSourceOptions {
  readonly open: (signal: AbortSignal) => Promise<Connection>
  readonly toSource: (client: ApiClient) => ToolSource
  /** Hears of each error, beside whoever asked. */
  readonly onError: (error: unknown) => void
}

/** Tools whose API is looked for when they are first needed, and anew when it was lost. Close it in the end. */
export interface LazyToolSource extends ToolSource {
  close(): Promise<void>
}

interface Opened {
  readonly connection: Connection
  readonly source: ToolSource
}

/**
 * Makes such tools. A client may start a command only to learn who it is; it shall not wait for a store then, nor hold one that
 * the command which it starts next needs.
 */
export function createLazyToolSource(options: LazyToolSourceOptions): LazyToolSource {
  const ending = new AbortController()
  let opening: Promise<Opened> | undefined

  async function open(): Promise<Opened> {
    const connection = await options.open(ending.signal)
    return { connection, source: options.toSource(connection.client) }
  }

  async function use<Result>(
    work: (source: ToolSource) => Promise<Result>,
    { signal }: AbortableOptions = {},
  ): Promise<Result> {
    const current = (opening ??= open())
    let isOpen = false
    try {
      const { source } = await current
      isOpen = true
      return await work(source)
    } catch (error) {
      const isLost = !isOpen || (error instanceof ApiError && error.code === 'unreachable')
      if (isLost && opening === current) opening = undefined
      if (!signal?.aborted && !ending.signal.aborted) options.onError(error)
      throw error
    }
  }

  return {
    list: async (given) => await use(async (source) => await source.list(given), given),
    call: async (request, given) =>
      await use(async (source) => await source.call(request, given), given),
    async close() {
      ending.abort()
      const opened = await opening?.catch(() => undefined)
      await opened?.connection.close()
    },
  }
}
