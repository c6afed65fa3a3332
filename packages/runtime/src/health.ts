import { silentLogger, type EventBus } from '@loam/core'
import type { Storage } from '@loam/storage'
import type { RuntimeModels } from './compose-models.js'
import type { LoamConfig } from './config.js'
import { createBus } from './create-bus.js'
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
  models: { chat, embeddings, trouble },
  queue,
}: RuntimeParts): Promise<readonly HealthCheck[]> {
  return [
    ...(await storageChecks(storage)),
    ...(queue ? [await queueCheck(queue)] : []),
    {
      name: 'embeddings',
      ok: trouble.embeddings === undefined,
      required: false,
      detail: withTrouble(
        `${embeddings.provider} ${embeddings.model}, ${embeddings.dimensions} dimensions`,
        trouble.embeddings,
      ),
    },
    {
      name: 'chat',
      ok: trouble.chat === undefined,
      required: false,
      detail: withTrouble(
        chat ? `${chat.provider} ${chat.model}` : 'none; summaries are made by rules',
        trouble.chat,
      ),
    },
  ]
}

/** Whether the queue of a configuration answers, for whoever has no runtime. */
export async function checkQueue(config: LoamConfig): Promise<HealthCheck> {
  const bus = await createBus(config, silentLogger)
  try {
    return await queueCheck({ bus, required: true })
  } finally {
    await bus.close({ drainMs: 0 })
  }
}

/** Of what the driver says no more is told than this, since it may name hosts and users; the log has it. */
const LOGIN_REFUSED = /refuses the login|WRONGPASS|NOAUTH/

function withTrouble(what: string, trouble: string | undefined): string {
  return trouble === undefined ? what : `${what}. ${trouble}`
}

async function queueCheck({
  bus,
  required,
}: NonNullable<RuntimeParts['queue']>): Promise<HealthCheck> {
  const name = 'queue'
  try {
    await bus.ping()
    return { name, ok: true, required, detail: 'redis answers' }
  } catch (error) {
    const what = LOGIN_REFUSED.test(String(error))
      ? 'redis refuses the login: check user and password in LOAM_REDIS_URL'
      : 'redis does not answer'
    return { name, ok: false, required, detail: `${what}; jobs wait in the database` }
  }
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
