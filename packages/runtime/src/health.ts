import type { Storage } from '@loam/storage'
import type { RuntimeModels } from './compose-models.js'
import type { HealthCheck } from './runtime.js'

/** Says how the parts of an installation stand; only the store can make it unable to serve. */
export async function checkHealth(
  storage: Pick<Storage, 'engine' | 'health'>,
  { chat, embeddings }: RuntimeModels,
): Promise<readonly HealthCheck[]> {
  return [
    ...(await storageChecks(storage)),
    {
      name: 'embeddings',
      ok: true,
      detail: `${embeddings.provider} ${embeddings.model}, ${embeddings.dimensions} dimensions`,
    },
    {
      name: 'chat',
      ok: true,
      detail: chat ? `${chat.provider} ${chat.model}` : 'none; summaries are made by rules',
    },
  ]
}

async function storageChecks(storage: Pick<Storage, 'engine' | 'health'>): Promise<HealthCheck[]> {
  const { engine } = storage
  try {
    const { schemaVersion, expectedSchemaVersion } = await storage.health()
    const migrated = schemaVersion === expectedSchemaVersion
    return [
      { name: 'storage', ok: true, detail: `${engine} answers` },
      {
        name: 'schema',
        ok: migrated,
        detail: migrated
          ? `version ${schemaVersion}`
          : `version ${schemaVersion}, and this release needs ${expectedSchemaVersion}: run loam migrate`,
      },
    ]
  } catch {
    // What the driver says may name hosts and users; the log has it.
    return [{ name: 'storage', ok: false, detail: `${engine} does not answer` }]
  }
}
