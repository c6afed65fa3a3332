import { isEmbedded } from '@loam/runtime'
import { migrate, openStorage } from '@loam/storage-postgres'
import { loadConfiguration } from '../configuration.js'
import { createLogger } from '../logger.js'
import { counted, type Output } from '../output.js'

/** Brings the database to this release's schema, as its owner; with `status`, only says which one it has. */
export async function runMigrate(
  { status }: { readonly status?: boolean | undefined },
  output: Output,
): Promise<void> {
  const config = loadConfiguration(process.env, { needsKey: false })
  const logger = createLogger('warn')
  if (status === true) {
    await using storage = await openStorage(config.databaseUrl, { migrate: false, logger })
    const health = await storage.health()
    output.result(health)
    output.say(`The database has schema version ${health.schemaVersion}, the newest.`)
    return
  }
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
}

function loginOf(url: string): string | undefined {
  return URL.canParse(url) ? decodeURIComponent(new URL(url).username) || undefined : undefined
}
