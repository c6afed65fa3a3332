import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { askRedis } from '../../../services/ask-redis.mjs'
import { makePrivateFolder, removePrivateFolder } from '../../../services/private-folder.mjs'
import { serviceUser } from '../../../services/service-user.mjs'
import { until } from '../until.js'
import { stablePort } from './stable-port.js'

/** A Redis of a test's own, which keeps its data on disk as docker/compose.yaml has it. */
export interface FaultRedis {
  readonly url: string
  /** Ends it without a word (SIGKILL). */
  kill(): Promise<void>
  /** Starts it again, at the same port and with what was on disk. */
  start(): Promise<void>
  /** Empties it. */
  flush(): Promise<void>
  /** How many keys it holds. */
  size(): Promise<number>
  /** Ends it and removes its data. */
  remove(): Promise<void>
}

/** Starts one. */
export async function startFaultRedis(): Promise<FaultRedis> {
  const user = await serviceUser()
  const folder = makePrivateFolder(user)
  const port = await stablePort()
  const password = randomBytes(16).toString('hex')
  const url = `redis://default:${password}@127.0.0.1:${port}`
  const config = join(folder, 'redis.conf')
  writeFileSync(config, settings({ port, password, folder }), { mode: 0o600 })
  if (user.uid !== undefined && user.gid !== undefined) chownSync(config, user.uid, user.gid)
  let server: ChildProcess | undefined

  const redis: FaultRedis = {
    url,
    async start() {
      const child = spawn('redis-server', [config], { ...user, cwd: folder, stdio: 'ignore' })
      server = child
      await until('Redis answers', async () => {
        if (child.exitCode !== null) throw new Error(`redis-server ended; see ${folder}/redis.log.`)
        return (await askRedis(url, ['PING'])) === '+PONG'
      })
    },
    async kill() {
      if (server === undefined || server.exitCode !== null || server.signalCode !== null) return
      const ended = once(server, 'exit')
      server.kill('SIGKILL')
      await ended
    },
    async flush() {
      const answer = await askRedis(url, ['FLUSHALL'])
      if (answer !== '+OK') throw new Error(`Redis was not emptied: ${answer}`)
    },
    async size() {
      return Number((await askRedis(url, ['DBSIZE']))?.slice(1))
    },
    async remove() {
      await redis.kill()
      removePrivateFolder(folder)
    },
  }
  await redis.start()
  return redis
}

function settings({
  port,
  password,
  folder,
}: {
  readonly port: number
  readonly password: string
  readonly folder: string
}): string {
  return [
    `port ${port}`,
    'bind 127.0.0.1',
    `requirepass ${password}`,
    `dir ${folder}`,
    `logfile ${join(folder, 'redis.log')}`,
    'daemonize no',
    'save ""',
    'appendonly yes',
    'appendfsync everysec',
    'maxmemory-policy noeviction',
    '',
  ].join('\n')
}
