import { once } from 'node:events'
import type { Logger } from '@loam/core'
import {
  NO_QUEUE,
  createRuntime,
  describeQueue,
  describeStore,
  requireServer,
  type LoamConfig,
} from '@loam/runtime'
import { serveHealth } from '@loam/server/node'

/** What the process gives to its work. */
export interface RunWorkerOptions {
  readonly logger: Logger
  /** Ends it. */
  readonly stop: AbortSignal
}

/** Does jobs until told to stop, then finishes what is in hand. Answers health checks all the while. */
export async function runWorker(
  config: LoamConfig,
  { logger, stop }: RunWorkerOptions,
): Promise<void> {
  requireServer(config)
  const runtime = await createRuntime(config, { logger, acceptsKey: false })
  try {
    await using health = await serveHealth({ runtime })
    await runtime.start()
    const { workerConcurrency: concurrency } = config
    const [store, queue] = [describeStore(config), describeQueue(config)]
    logger.info('worker-ready', { url: health.url, concurrency, store, queue })
    if (config.redisUrl === undefined) logger.warn(NO_QUEUE)
    if (!stop.aborted) await once(stop, 'abort')
    logger.info('worker-draining')
    await runtime.close()
  } finally {
    await runtime.close()
  }
  logger.info('worker-stopped')
}
