import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repositoryRoot } from '../workspace/root.mjs'

/**
 * A service that was started here, with what it takes to reach and to stop it.
 * @typedef {(import('./postgres-server.mjs').LocalPostgres
 *   | import('./redis-server.mjs').LocalRedis
 *   | import('./docker.mjs').DockerService) & { owner?: number }} RunningService
 *   `owner` is the process that stops it in the end; without one it runs until `down`.
 */

/** @typedef {Record<string, RunningService>} ServiceState */

const file = join(repositoryRoot, '.cache/services.json')

/** @returns {ServiceState} */
export function readState() {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}

/** @param {ServiceState} state */
export function writeState(state) {
  if (Object.keys(state).length === 0) return rmSync(file, { force: true })
  mkdirSync(dirname(file), { recursive: true })
  // It holds passwords.
  writeFileSync(file, JSON.stringify(state, null, 2), { mode: 0o600 })
}
