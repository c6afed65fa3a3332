import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { repositoryRoot } from '../workspace/root.mjs'
import { outputOf } from '../workspace/run-command.mjs'
import { freePort } from './free-port.mjs'
import { withProgress } from './progress.mjs'
import { runOrThrow } from './run-or-throw.mjs'

/** @typedef {{ provider: 'docker', url: string, service: string, project: string }} DockerService */

const composeFile = join(repositoryRoot, 'docker/services.yaml')

/** Do an engine and the compose plugin answer? The client alone is often there without either. */
export async function hasDocker() {
  return (
    (await outputOf('docker', ['info'])) !== undefined &&
    (await outputOf('docker', ['compose', 'version'])) !== undefined
  )
}

/**
 * Starts one service of docker/services.yaml as a project of its own, beside any that a developer runs from that file.
 * @param {'postgres' | 'redis'} service
 * @returns {Promise<DockerService>}
 */
export async function startDockerService(service) {
  const port = await freePort()
  const password = randomBytes(16).toString('hex')
  const project = `loam-test-${randomBytes(4).toString('hex')}`
  const env = {
    ...process.env,
    LOAM_SERVICES_PASSWORD: password,
    LOAM_POSTGRES_PORT: String(port),
    LOAM_REDIS_PORT: String(port),
  }
  try {
    await withProgress(`starting ${service} in Docker`, () =>
      compose(project, ['up', '--detach', '--wait', service], env),
    )
  } catch (error) {
    await compose(project, ['down', '--volumes'])
    throw error
  }
  const url =
    service === 'postgres'
      ? `postgres://postgres:${password}@127.0.0.1:${port}/loam`
      : `redis://default:${password}@127.0.0.1:${port}`
  return { provider: 'docker', url, service, project }
}

/**
 * Stops such a service and removes what it stored.
 * @param {DockerService} service
 */
export async function stopDockerService({ project }) {
  await compose(project, ['down', '--volumes'])
}

/**
 * @param {string} project
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 */
function compose(project, args, env = process.env) {
  return runOrThrow(
    'docker',
    ['compose', '--project-name', project, '--file', composeFile, ...args],
    { env },
  )
}
