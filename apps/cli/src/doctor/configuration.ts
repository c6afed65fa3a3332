import { join } from 'node:path'
import { maskUrl } from '@loam/core'
import { describeStore, type LoamConfig } from '@loam/runtime'
import type { Finding } from './finding.js'

/** What is configured, without secrets. Of what is not set it says what holds instead. */
export function describeConfiguration(config: LoamConfig): readonly Finding[] {
  const { model, databaseUrl, migrationDatabaseUrl, redisUrl, apiKey } = config
  return [
    describe('home', config.home),
    describe(
      'store',
      databaseUrl === `pglite:${join(config.home, 'data')}`
        ? `${describeStore(config)}, the embedded one of the home folder`
        : describeStore(config),
    ),
    ...(migrationDatabaseUrl === undefined
      ? []
      : [describe('migrations', `as the login of ${maskUrl(migrationDatabaseUrl)}`)]),
    describe(
      'queue',
      redisUrl === undefined
        ? unset('LOAM_REDIS_URL', 'jobs are done by the process that serves the API')
        : `Redis at ${maskUrl(redisUrl)}`,
    ),
    describe(
      'API key',
      apiKey === undefined
        ? unset('LOAM_API_KEY', 'one is generated, and kept in the home folder')
        : `${maskSecret(apiKey)} (LOAM_API_KEY)`,
    ),
    describe(
      'model endpoint',
      model.baseUrl === undefined
        ? unset('LOAM_MODEL_BASE_URL', 'no model is called, and Loam works without one')
        : maskUrl(model.baseUrl),
    ),
    ...(model.baseUrl === undefined
      ? []
      : [
          describe(
            'model key',
            model.apiKey === undefined
              ? unset('LOAM_MODEL_API_KEY', 'requests are sent without a key')
              : `${maskSecret(model.apiKey)} (LOAM_MODEL_API_KEY)`,
          ),
        ]),
    describe('chat model', model.chatModel ?? unset('LOAM_CHAT_MODEL', 'rules make the summaries')),
    describe(
      'embedding model',
      model.embeddingModel ?? unset('LOAM_EMBEDDING_MODEL', 'embeddings are computed locally'),
    ),
  ]
}

function unset(variable: string, instead: string): string {
  return `${variable} is not set: ${instead}`
}

/** The first characters of a secret, if it is long enough that these tell nothing. */
export function maskSecret(secret: string): string {
  return secret.length < 16 ? '****' : `${secret.slice(0, 4)}****`
}

function describe(name: string, detail: string): Finding {
  return { area: 'Settings', name, state: 'ok', detail }
}
