import { ConfigurationError } from '@loam/core'
import type { LoamConfig } from './config.js'
import { isEmbedded } from './load-config.js'

/** @throws ConfigurationError when the store is embedded, so that no process beside the one that holds it can do its jobs. */
export function requireServer({ databaseUrl }: LoamConfig): void {
  if (!isEmbedded(databaseUrl)) return
  const message =
    'A worker needs a database server: set LOAM_DATABASE_URL to postgres://user:password@host:port/database. The jobs of an embedded store are done by the process that serves it.'
  throw new ConfigurationError({ message, issues: [{ path: 'LOAM_DATABASE_URL', message }] })
}
