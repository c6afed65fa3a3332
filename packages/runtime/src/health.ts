import type { EventBus } from '@loam/core'
import type { Storage } from '@loam/storage'
import type { RuntimeModels } from './compose-models.js'
import type { HealthCheck } from './runtime.js'

/** What an installation is made of, as far as its health goes. */
export interface RuntimeParts {
  readonly storage: Pick<Storage, 'engine' | 'health'>
  readonly models: RuntimeModels
  /** Undefined: jobs run in this process. */
  readonly queue: { readonly bus: EventBus; readonly required: boolean } | undefined
}

/** Says how the parts of an installation stand. */
export async function checkHealth({
  storage,
  models: { chat, embeddings },
  queue,
}: RuntimeParts): Promise<readonly HealthCheck[]> {
  return [
    ...(await storageChecks(storage)),
    ...(queue ? [await queueCheck(queue)] : []),
    {
      name: 'embeddings',
      ok: true,
      required: false,
      detail: `${embeddings.provider} ${embeddings.model}, ${embeddings.dimensions} dimensions`,
    },
    {
      name: 'chat',
      ok: true,
      required: false,
      detail: chat ? `${chat.provider} ${chat.model}` : 'none; summaries are made by rules',
    },
  ]
}

async function queueCheck({
  bus,
  required,
}: NonNullable<RuntimeParts['queue']>): Promise<HealthCheck> {
  const ok = await bus.ping().then(
    () => true,
    () => false,
  )
  const name = 'queue'
  if (ok) return { name, ok, required, detail: 'redis answers' }
  return { name, ok, required, detail: 'redis does not answer; jobs wait in the database' }
}

async function storageChecks(storage: Pick<Storage, 'engine' | 'health'>): Promise<HealthCheck[]> {
  const { engine } = storage
  try {
    const { schemaVersion, expectedSchemaVersion } = await storage.health()
    const migrated = schemaVersion === expectedSchemaVersion
    return [
      { name: 'storage', ok: true, required: true, detail: `${engine} answers` },
      {
        name: 'schema',
        ok: migrated,
        required: true,
        detail: migrated
          ? `version ${schemaVersion}`
          : `version ${schemaVersion}, and this release needs ${expectedSchemaVersion}: run loam migrate`,
      },
    ]
  } catch {
    // What the driver says may name hosts and users; the log has it.
    return [{ name: 'storage', ok: false, required: true, detail: `${engine} does not answer` }]
  }
}
