import type { EventBus, Logger } from '@loam/core'
import type { LoamConfig } from './config.js'
import { createInlineBus } from './inline-bus.js'

/** The bus that a configuration calls for: through Redis if it names one, else in this process. */
export async function createBus(config: LoamConfig, logger: Logger): Promise<EventBus> {
  const { redisUrl, queuePrefix, leaseMs } = config
  if (redisUrl === undefined) return createInlineBus({ logger })
  // Loaded when it is wanted: an embedded Loam starts sooner without it.
  const { createBullmqBus } = await import('@loam/queue-bullmq')
  return createBullmqBus({
    url: redisUrl,
    prefix: queuePrefix,
    lockDurationMs: leaseMs,
    stalledIntervalMs: leaseMs,
    logger,
  })
}
