import { describeStore, isEmbedded, type LoamConfig } from '@loam/runtime'
import { migrate, readSchemaStatus } from '@loam/storage-postgres'
import { loadConfiguration } from '../configuration.js'
import { createLogger } from '../logger.js'
import { counted, type Output } from '../output.js'
import { holdsStore } from '../store.js'

/**
 * Brings the database to this release's schema, as its owner; with `status`, only says which one it has. Returns whether it
 * has the one that this release needs.
 */
export async function runMigrate(
  { status }: { readonly status?: boolean | undefined },
  output: Output,
): Promise<boolean> {
  const config = loadConfiguration(process.env, { needsKey: false })
  const logger = createLogger('warn')
  if (status === true) return await sayStatus(config, output)
  const owner = config.migrationDatabaseUrl
  const login = loginOf(config.databaseUrl)
  const needsGrant = owner !== undefined && login !== undefined && login !== loginOf(owner)
  const result = await migrate(owner ?? config.databaseUrl, {
    logger,
    ...(needsGrant && { grantTo: login }),
  })
  output.result(result)
  const { from, to, applied } = result
  output.say(
    applied.length === 0
      ? `Nothing to do: the database has schema version ${to}.`
      : `Migrated from version ${from} to ${to} in ${counted(applied.length, 'step')}.`,
  )
  if (isEmbedded(config.databaseUrl)) output.note('An embedded store is also migrated at start.')
  return true
}

async function sayStatus(config: LoamConfig, output: Output): Promise<boolean> {
  // Opening a folder that is not there would make it.
  const health = holdsStore(config)
    ? await readSchemaStatus(config.databaseUrl, { logger: createLogger('warn') })
    : { schemaVersion: 0, expectedSchemaVersion: undefined }
  const { schemaVersion, expectedSchemaVersion } = health
  output.result(health)
  output.say(`${describeStore(config)}: ${describeSchema(schemaVersion, expectedSchemaVersion)}`)
  return schemaVersion === expectedSchemaVersion
}

function describeSchema(version: number, expected: number | undefined): string {
  if (version === 0) return 'there is no schema of Loam in it yet. Run "loam migrate".'
  const has = `it has schema version ${version}`
  if (version === expected) return `${has}, the newest.`
  return version < (expected ?? 0)
    ? `${has}, and this release needs ${expected}. Run "loam migrate".`
    : `${has}, and this release knows ${expected}. Install the release that migrated it, or a newer one.`
}

function loginOf(url: string): string | undefined {
  return URL.canParse(url) ? decodeURIComponent(new URL(url).username) || undefined : undefined
}
