import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { satisfiesMinimum } from '../workspace/version.mjs'
import { outputOf } from '../workspace/run-command.mjs'
import { freePort } from './free-port.mjs'
import { makePrivateFolder, removePrivateFolder } from './private-folder.mjs'
import { askRedis } from './ask-redis.mjs'
import { serviceUser } from './service-user.mjs'

/** @typedef {{ provider: 'local', url: string, folder: string }} LocalRedis */

/** The oldest Redis that the queue runs on. */
export const MINIMUM_REDIS = '6.2'

/** How long a server may take to start or to stop. */
const PATIENCE_MS = 10_000

const CONFIG_FILE = 'redis.conf'
const PROCESS_ID_FILE = 'redis.pid'

/** Is a fitting `redis-server` on the PATH? */
export async function hasRedisServer() {
  const version = (await outputOf('redis-server', ['--version']))?.match(/v=([\d.]+)/)?.[1]
  return version !== undefined && satisfiesMinimum(version, MINIMUM_REDIS)
}

/**
 * Starts a private Redis on a free port of 127.0.0.1 and in a temporary folder.
 * @returns {Promise<LocalRedis>}
 */
export async function startRedis() {
  const user = await serviceUser()
  const folder = makePrivateFolder(user)
  const port = await freePort()
  const password = randomBytes(16).toString('hex')
  const url = `redis://default:${password}@127.0.0.1:${port}`
  const config = join(folder, CONFIG_FILE)
  writeFileSync(config, settings({ port, password, folder }), { mode: 0o600 })
  if (user.uid !== undefined && user.gid !== undefined) chownSync(config, user.uid, user.gid)

  const server = { provider: /** @type {const} */ ('local'), url, folder }
  try {
    await launch(server, user)
  } catch (error) {
    await stopRedis(server)
    throw error
  }
  return server
}

/**
 * Kills such a server as a crash would.
 * @param {LocalRedis} server
 */
export async function killRedis({ url, folder }) {
  // In a folder that only the server can write, and it removes the file when it ends by itself.
  const processId = Number(readFileSync(join(folder, PROCESS_ID_FILE), 'utf8'))
  process.kill(processId, 'SIGKILL')
  await eventually(async () => (await askRedis(url, ['PING'])) === undefined)
}

/**
 * Starts such a server again, at its old port, after it was killed. It has forgotten everything.
 * @param {LocalRedis} server
 */
export async function restartRedis(server) {
  await launch(server, await serviceUser())
}

/**
 * @param {LocalRedis} server
 * @param {{ uid?: number, gid?: number }} user
 */
async function launch({ url, folder }, user) {
  const child = spawn('redis-server', [join(folder, CONFIG_FILE)], {
    ...user,
    cwd: folder,
    detached: true,
    stdio: 'ignore',
  })
  child.on('error', () => {})
  child.unref()
  if (await eventually(async () => (await askRedis(url, ['PING'])) === '+PONG')) return
  const logFile = join(folder, 'redis.log')
  const log = existsSync(logFile) ? readFileSync(logFile, 'utf8').slice(-2000) : 'no log'
  throw new Error(`redis-server did not answer at port ${new URL(url).port}:\n${log}`)
}

/**
 * Stops such a server, if it still runs, and removes what it stored.
 * @param {LocalRedis} server
 */
export async function stopRedis({ url, folder }) {
  // Asked with its password instead of killed by its process id, which may belong to another program by now.
  await askRedis(url, ['SHUTDOWN', 'NOSAVE'])
  await eventually(async () => (await askRedis(url, ['PING'])) === undefined)
  removePrivateFolder(folder)
}

/** @param {{ port: number, password: string, folder: string }} options */
function settings({ port, password, folder }) {
  return [
    `port ${port}`,
    'bind 127.0.0.1',
    `requirepass ${password}`,
    `dir ${folder}`,
    `logfile ${join(folder, 'redis.log')}`,
    `pidfile ${join(folder, PROCESS_ID_FILE)}`,
    'daemonize no',
    'save ""',
    'appendonly no',
    // A queue that forgets jobs under pressure is no queue.
    'maxmemory-policy noeviction',
    '',
  ].join('\n')
}

/** @param {() => Promise<boolean>} condition */
async function eventually(condition) {
  const end = Date.now() + PATIENCE_MS
  while (Date.now() < end) {
    if (await condition()) return true
    await sleep(50)
  }
  return false
}
