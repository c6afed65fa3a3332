import type { Storage } from '@loam/storage'
import type { RuntimeModels } from './compose-models.js'
import { checkHealth } from './health.js'
import type { RuntimeStatus } from './runtime.js'

/** Says what of a tenant's memory is indexed by the present embedding model, and which deliveries wait. */
export async function describeStatus(
  storage: Storage,
  models: RuntimeModels,
  tenantId: string,
): Promise<RuntimeStatus> {
  const { provider, model, dimensions, languages } = models.embeddings
  const coverage = await storage.transaction(
    { tenantId, everyUser: true },
    async ({ embeddingSpaces, chunks }) => {
      const space = await embeddingSpaces.ensure({ provider, model, dimensions })
      return await chunks.coverage(space.id)
    },
  )
  return {
    checks: await checkHealth(storage, models),
    index: { ...coverage, provider, model, dimensions, languages },
    deliveries: await storage.system(({ deliveries }) => deliveries.counts(tenantId)),
  }
}
