import { once } from 'node:events'
import type { Logger } from '@loam/core'
import { createRuntime, describeJobs, describeStore, type LoamConfig } from '@loam/runtime'
import { serveApi } from '@loam/server/node'

/** What the process gives to its work. */
export interface RunApiOptions {
  readonly logger: Logger
  /** Ends it. */
  readonly stop: AbortSignal
}

/** Serves the API until told to stop, then finishes what is in hand. */
export async function runApi(config: LoamConfig, { logger, stop }: RunApiOptions): Promise<void> {
  // With Redis, the jobs are the workers', and this process only hands them over.
  const runtime = await createRuntime(config, { logger, handlers: config.redisUrl === undefined })
  try {
    await runtime.start()
    const server = await serveApi({ runtime })
    logger.info('api-listening', {
      url: server.url,
      store: describeStore(config),
      jobs: describeJobs(config),
    })
    if (!stop.aborted) await once(stop, 'abort')
    logger.info('api-stopping')
    await server.close()
  } finally {
    await runtime.close()
  }
  logger.info('api-stopped')
}
