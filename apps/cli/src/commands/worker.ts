import { createRuntime, requireServer, type LoamConfig } from '@loam/runtime'
import { serveHealth } from '@loam/server/node'
import { loadConfiguration } from '../configuration.js'
import { createLogger } from '../logger.js'
import type { Output } from '../output.js'
import { describeStore } from '../store.js'
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
  output: Output,
): Promise<void> {
  const config = withOptions(loadConfiguration(process.env, { needsKey: false }), options)
  requireServer(config)
  output.note(`Opening ${describeStore(config)} …`)
  const runtime = await createRuntime(config, {
    logger: createLogger(config.logLevel),
    acceptsKey: false,
  })
  const stopped = untilStopped(output)
  try {
    await using health = await serveHealth({ runtime })
    await runtime.start()
    output.result({ healthUrl: health.url, concurrency: config.workerConcurrency })
    output.say(`The worker is ready. Health: ${output.paint.cyan(`${health.url}/health/ready`)}`)
    const from = config.redisUrl === undefined ? 'the database' : 'Redis'
    output.say(
      output.paint.dim(
        `It takes jobs from ${from}, ${config.workerConcurrency} of each kind at once. Press Ctrl-C to stop.`,
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
