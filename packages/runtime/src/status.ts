import type { Clock } from '@loam/core'
import type { Storage } from '@loam/storage'
import type { LoamConfig } from './config.js'
import { checkHealth, type RuntimeParts } from './health.js'
import type { RuntimeStatus } from './runtime.js'

/** What a status is made from. */
export interface StatusParts extends RuntimeParts {
  readonly storage: Storage
  readonly config: LoamConfig
  readonly clock: Clock
}

const NANO = 1e9

/** Says what of a tenant's memory is indexed by the present embedding model, which deliveries wait, and what models cost today. */
export async function describeStatus(parts: StatusParts, tenantId: string): Promise<RuntimeStatus> {
  const { storage, models, config, clock } = parts
  const { provider, model, dimensions, languages } = models.embeddings
  const { dailyTokenLimit, dailyCostLimitUsd } = config.model
  const since = startOfDay(clock.now())
  const { coverage, totals } = await storage.transaction(
    { tenantId, everyUser: true },
    async ({ embeddingSpaces, chunks, modelCalls }) => {
      const space = await embeddingSpaces.ensure({ provider, model, dimensions })
      return { coverage: await chunks.coverage(space.id), totals: await modelCalls.totals(since) }
    },
  )
  const { charged, ...counted } = totals
  return {
    checks: await checkHealth(parts),
    index: { ...coverage, provider, model, dimensions, languages },
    deliveries: await storage.system.deliveries.counts(tenantId),
    waiting: await storage.system.deliveries.waiting(tenantId),
    usage: {
      since,
      ...counted,
      chargedTokens: charged.tokens,
      costUsd: charged.costNanoUsd / NANO,
      dailyTokenLimit,
      dailyCostLimitUsd,
    },
  }
}

/** The limits of the usage meter are counted in days of UTC. */
function startOfDay(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()))
}
