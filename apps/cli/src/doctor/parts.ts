import { ModelError, ConfigurationError } from '@loam/core'
import { checkQueue, isEmbedded, type LoamConfig } from '@loam/runtime'
import { readSchemaStatus } from '@loam/storage-postgres'
import { createLogger } from '../logger.js'
import { describeError } from '../report-error.js'
import type { Area, Finding } from './finding.js'

/**
 * What is wrong when Loam cannot be opened: the fault that kept it from opening, and how the parts stand that were not reached
 * because of it, so that all faults are told at once.
 */
export async function checkPartsAfter(
  fault: unknown,
  config: LoamConfig,
): Promise<readonly Finding[]> {
  const area = areaOf(fault)
  const detail = describeError(fault).message
  const own: Finding = { area, name: NAMES[area] ?? 'opening', state: 'broken', detail }
  const others = [
    ...(isEmbedded(config.databaseUrl) ? [] : [await checkStore(config)]),
    ...(config.redisUrl === undefined ? [] : [await checkJobs(config)]),
  ]
  // What the store says of itself is the same fault.
  const isSaid = others.some(({ area: other, state }) => other === area && state === 'broken')
  return isSaid ? others : [own, ...others]
}

const NAMES: Partial<Record<Area, string>> = {
  Settings: 'API key',
  Store: 'storage',
  Models: 'embeddings',
}

function areaOf(fault: unknown): Area {
  if (ModelError.isInstance(fault)) return 'Models'
  const isOfKey =
    ConfigurationError.isInstance(fault) && fault.issues.some(({ path }) => path === 'LOAM_API_KEY')
  return isOfKey ? 'Settings' : 'Store'
}

async function checkStore(config: LoamConfig): Promise<Finding> {
  const about = { area: 'Store', name: 'schema' } as const
  try {
    const status = await readSchemaStatus(config.databaseUrl, { logger: createLogger('silent') })
    const { schemaVersion, expectedSchemaVersion } = status
    if (schemaVersion === expectedSchemaVersion) {
      return {
        ...about,
        state: 'ok',
        detail: `The database answers, with version ${schemaVersion}.`,
      }
    }
    const detail = `The database answers with schema version ${schemaVersion}, and this release needs ${expectedSchemaVersion}. Run "loam migrate".`
    return { ...about, state: 'broken', detail }
  } catch (error) {
    return { area: 'Store', name: 'storage', state: 'broken', detail: describeError(error).message }
  }
}

async function checkJobs(config: LoamConfig): Promise<Finding> {
  const { ok, detail } = await checkQueue(config)
  return { area: 'Jobs', name: 'queue', state: ok ? 'ok' : 'broken', detail }
}
