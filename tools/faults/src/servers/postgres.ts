import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { findPostgresInstallations, hasPgvector } from '../../../services/postgres-installation.mjs'
import { startPostgres, stopPostgres } from '../../../services/postgres-server.mjs'
import { runOrThrow } from '../../../services/run-or-throw.mjs'
import { serviceUser } from '../../../services/service-user.mjs'
import { stablePort } from './stable-port.js'

/** A Postgres of a test's own, which writes what it commits to disk before it says so. */
export interface FaultPostgres {
  /** Of the superuser. */
  readonly url: string
  /** Ends it as a crash does: without a checkpoint, and every connection at once. */
  crash(): Promise<void>
  /** Starts it again, at the same port and with its data. */
  start(): Promise<void>
  /** Ends it and removes its data. */
  remove(): Promise<void>
}

/** Whether one can be started here. */
export async function canStartPostgres(): Promise<boolean> {
  return (await findPostgresInstallations()).some(hasPgvector)
}

/** Starts one, with an empty database. */
export async function startFaultPostgres(): Promise<FaultPostgres> {
  const installation = (await findPostgresInstallations()).find(hasPgvector)
  if (!installation) throw new Error('There is no Postgres with pgvector on this machine.')
  const server = await startPostgres(installation.bin)
  const data = join(server.folder, 'data')
  const log = join(server.folder, 'postgres.log')
  const control = async (command: string, ...options: string[]): Promise<void> => {
    const where = { ...(await serviceUser()), cwd: server.folder }
    const args = [command, '-w', '-s', '-D', data, ...options]
    await runOrThrow(join(server.bin, 'pg_ctl'), args, where)
  }
  const port = await stablePort()
  const durable = ['fsync = on', 'synchronous_commit = on', 'full_page_writes = on']
  appendFileSync(join(data, 'postgresql.auto.conf'), [...durable, `port = ${port}`, ''].join('\n'))
  const url = new URL(server.url)
  url.port = String(port)
  await control('restart', '-l', log)
  return {
    url: url.href,
    crash: () => control('stop', '-m', 'immediate'),
    start: () => control('start', '-l', log),
    remove: () => stopPostgres({ ...server, url: url.href }),
  }
}
