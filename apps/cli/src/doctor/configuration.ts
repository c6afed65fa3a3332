import { maskUrl } from '@loam/core'
import type { LoamConfig } from '@loam/runtime'
import type { Finding } from './finding.js'

/** What is configured, without secrets. */
export function describeConfiguration(config: LoamConfig): readonly Finding[] {
  const { model } = config
  return [
    describe('home', config.home),
    describe('database', maskUrl(config.databaseUrl)),
    ...(config.migrationDatabaseUrl === undefined
      ? []
      : [describe('migration database', maskUrl(config.migrationDatabaseUrl))]),
    describe(
      'jobs',
      config.redisUrl === undefined ? 'run in the process that serves' : maskUrl(config.redisUrl),
    ),
    describe(
      'key',
      config.apiKey === undefined
        ? 'generated, and kept in the home folder'
        : `${maskSecret(config.apiKey)} (LOAM_API_KEY)`,
    ),
    describe(
      'model endpoint',
      model.baseUrl === undefined
        ? 'none; Loam works without one'
        : `${maskUrl(model.baseUrl)}, key ${model.apiKey === undefined ? 'not set' : maskSecret(model.apiKey)}`,
    ),
    describe('summaries', model.chatModel ?? 'by rules, since LOAM_CHAT_MODEL is not set'),
    describe('embeddings', model.embeddingModel ?? 'local, since LOAM_EMBEDDING_MODEL is not set'),
  ]
}

/** The first characters of a secret, if it is long enough that these tell nothing. */
export function maskSecret(secret: string): string {
  return secret.length < 16 ? '****' : `${secret.slice(0, 4)}****`
}

function describe(name: string, detail: string): Finding {
  return { name, state: 'ok', detail }
}
