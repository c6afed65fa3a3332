import {
  NO_QUEUE,
  createRuntime,
  describeQueue,
  describeStore,
  requireServer,
  type LoamConfig,
} from '@loam/runtime'
import { serveHealth } from '@loam/server/node'
import { loadConfiguration } from '../configuration.js'
import { createLogger } from '../logger.js'
import { forLog, type Output } from '../output.js'
import { untilStopped } from '../until-stopped.js'

/** What `loam worker` is told beside the environment. */
export interface WorkerCommandOptions {
  readonly concurrency?: number | undefined
  readonly host?: string | undefined
  readonly port?: number | undefined
}

/** Does jobs until it is told to stop, then finishes what is in hand. */
export async function runWorkerCommand(
  options: WorkerCommandOptions,
  given: Output,
): Promise<void> {
  const config = withOptions(loadConfiguration(process.env, { needsKey: false }), options)
  requireServer(config)
  const { logLevel, logFormat, workerConcurrency: concurrency } = config
  const logger = createLogger(logLevel, logFormat)
  const output = forLog(given, logFormat)
  const [store, queue] = [describeStore(config), describeQueue(config)]
  output.note(`Opening ${store} …`)
  const runtime = await createRuntime(config, { logger, acceptsKey: false })
  const stopped = untilStopped(output)
  try {
    await using health = await serveHealth({ runtime })
    await runtime.start()
    output.result({ healthUrl: health.url, concurrency, store, queue })
    if (logFormat === 'json') {
      logger.info('worker-ready', { url: health.url, concurrency, store, queue })
    }
    if (config.redisUrl === undefined) logger.warn(NO_QUEUE)
    output.say(`The worker is ready. Health: ${output.paint.cyan(`${health.url}/health/ready`)}`)
    output.say(
      output.paint.dim(
        `Its queue: ${queue}. It does ${concurrency} jobs of each kind at once. Press Ctrl-C to stop.`,
      ),
    )
    await stopped
    await runtime.close()
  } finally {
    await runtime.close()
  }
}

function withOptions(
  config: LoamConfig,
  { concurrency, host, port }: WorkerCommandOptions,
): LoamConfig {
  return {
    ...config,
    ...(concurrency !== undefined && { workerConcurrency: concurrency }),
    ...(host !== undefined && { host }),
    ...(port !== undefined && { workerPort: port }),
  }
}
