import { answers } from './answers.mjs'
import { chooseProvider } from './choose-provider.mjs'
import { canInstallPackages } from './debian.mjs'
import { hasDocker, startDockerService, stopDockerService } from './docker.mjs'
import { postgres } from './postgres.mjs'
import { withProgress } from './progress.mjs'
import { redis } from './redis.mjs'
import { readState, writeState } from './state.mjs'

/**
 * One server that tests and development can use.
 * @template Local what is kept of a running one
 * @typedef {object} Service
 * @property {'postgres' | 'redis'} name Its name in docker/services.yaml.
 * @property {string} variable The environment variable with its URL.
 * @property {string} requirement What it must be, for messages.
 * @property {() => Promise<boolean>} hasLocal Is a fitting program installed?
 * @property {() => Promise<void>} install Installs what is missing from Debian's packages.
 * @property {() => Promise<Local>} startLocal
 * @property {(running: Local) => Promise<void>} stopLocal
 */

/** @type {readonly Service<any>[]} */
const services = [postgres, redis]

/**
 * @typedef {object} ServicesReport
 * @property {Record<string, string>} environment The variables with the URLs of all services that can be used.
 * @property {{ name: string, reason: string }[]} unavailable Those that cannot be had here, and why.
 */

/**
 * Makes each service available, unless it is already.
 * @param {{ owner?: number }} [options] `owner`: the process that will call `stopServices`; without one they run
 *   until someone does.
 * @returns {Promise<ServicesReport>}
 */
export async function startServices({ owner } = {}) {
  /** @type {ServicesReport} */
  const report = { environment: {}, unavailable: [] }
  for (const service of services) {
    try {
      report.environment[service.variable] = await urlOf(service, owner)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      report.unavailable.push({ name: service.name, reason })
    }
  }
  return report
}

/**
 * Stops the services that were started here, and removes what they stored.
 * @param {{ owner?: number }} [options] `owner`: only those of this process; default all.
 */
export async function stopServices({ owner } = {}) {
  const state = readState()
  for (const service of services) {
    const running = state[service.name]
    if (!running || (owner !== undefined && running.owner !== owner)) continue
    await stop(service, running)
    delete state[service.name]
    writeState(state)
  }
}

/** Where each service comes from, and whether it answers. */
export async function describeServices() {
  const state = readState()
  return Promise.all(
    services.map(async ({ name, variable }) => {
      const running = state[name]
      const provider = process.env[variable] ? 'given' : (running?.provider ?? 'none')
      const url = process.env[variable] || running?.url
      return { name, provider, url, answers: url !== undefined && (await answers(url)) }
    }),
  )
}

/**
 * @param {Service<any>} service
 * @param {number | undefined} owner
 * @returns {Promise<string>}
 */
async function urlOf(service, owner) {
  const given = process.env[service.variable]
  if (given) return given

  const state = readState()
  const running = state[service.name]
  if (running && (await answers(running.url))) {
    // What a process left behind when it was killed belongs to whoever finds it.
    const isOrphan = running.owner !== undefined && !isAlive(running.owner)
    if (isOrphan) writeState({ ...state, [service.name]: withOwner(running, owner) })
    return running.url
  }
  if (running) await stop(service, running)

  const started = withOwner(await start(service), owner)
  writeState({ ...readState(), [service.name]: started })
  return started.url
}

/** @param {Service<any>} service */
async function start(service) {
  const provider = await chooseProvider({
    isGiven: () => false,
    hasDocker,
    hasLocal: service.hasLocal,
    canInstall: canInstallPackages,
  })
  if (provider === 'none') {
    throw new Error(
      `${service.variable} is not set, no Docker engine with its compose plugin answers, ` +
        `${service.requirement} is not installed, and installing it takes root on Debian`,
    )
  }
  if (provider === 'docker') return startDockerService(service.name)
  if (provider === 'install') {
    await service.install()
    if (!(await service.hasLocal())) {
      throw new Error(`${service.requirement} is not found after its installation`)
    }
  }
  return withProgress(`starting ${service.name}`, service.startLocal)
}

/**
 * @param {Service<any>} service
 * @param {import('./state.mjs').RunningService} running
 */
function stop(service, running) {
  return running.provider === 'docker' ? stopDockerService(running) : service.stopLocal(running)
}

/**
 * @param {import('./state.mjs').RunningService} running
 * @param {number | undefined} owner
 */
function withOwner(running, owner) {
  const { owner: _previous, ...rest } = running
  return owner === undefined ? rest : { ...rest, owner }
}

/** @param {number} processId */
function isAlive(processId) {
  try {
    return process.kill(processId, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
