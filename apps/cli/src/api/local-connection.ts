import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { NotFoundError, StoreInUseError } from '@loam/core'
import {
  createRuntime,
  describeStore,
  isEmbedded,
  unknownKey,
  type LoamConfig,
  type Runtime,
} from '@loam/runtime'
import { createApi } from '@loam/server'
import { findServer } from '@loam/server/node'
import { loadConfiguration } from '../configuration.js'
import { createLogger } from '../logger.js'
import { holdsStore } from '../store.js'
import { createApiClient, type Send } from './api-client.js'
import type { Connection, ConnectOptions } from './connect.js'
import { connectTo, presence, requireKey } from './remote-connection.js'

/** Connects to the server that runs on the home folder, else makes an API in this process. */
export async function connectLocally(
  options: ConnectOptions,
  env: NodeJS.ProcessEnv,
): Promise<Connection> {
  const apiKey = options.apiKey ?? presence(env['LOAM_API_KEY'])
  const config = loadConfiguration(env)
  const server = await findAnsweringServer(config)
  return server === undefined
    ? await connectInProcess(config, options)
    : connectTo(server, requireKey(apiKey ?? (await readKey(config)), server))
}

/** Finds faults in the configuration, or that there is no store where there must be one. */
export function checkLocalTarget(
  { mustExist = false }: ConnectOptions,
  env: NodeJS.ProcessEnv,
): void {
  const config = loadConfiguration(env)
  if (mustExist) requireStore(config)
}

function requireStore(config: LoamConfig): void {
  if (holdsStore(config)) return
  throw new NotFoundError({
    message: `There is no Loam in ${config.home}. Start one with "loam serve", import something, or set LOAM_HOME to where it is.`,
  })
}

async function connectInProcess(
  config: LoamConfig,
  { apiKey: givenKey, jobs = false, mustExist = false }: ConnectOptions,
): Promise<Connection> {
  if (mustExist) requireStore(config)
  const runtime = await openRuntime(config)
  try {
    const apiKey = requireKey(givenKey ?? runtime.config.apiKey, config.home)
    if (givenKey === undefined && !(await runtime.authenticate(apiKey))) throw unknownKey()
    if (jobs) await runtime.start()
    const api = createApi(runtime)
    const send: Send = async (path, init) => await api.request(path, init)
    return {
      client: createApiClient({ send, apiKey }),
      send,
      description: `${describeStore(config)}, opened by this command`,
      runtime,
      settle: async () => {
        // With a queue they are the workers', who may take their time or not run at all.
        if (jobs && config.redisUrl === undefined) await runtime.settle()
      },
      close: async () => await runtime.close(),
    }
  } catch (error) {
    await runtime.close()
    throw error
  }
}

async function openRuntime(config: LoamConfig): Promise<Runtime> {
  try {
    return await createRuntime(config, {
      logger: createLogger(quieter(config.logLevel), config.logFormat),
      handlers: config.redisUrl === undefined,
      // What a command was given must not become the key of an installation that others serve.
      acceptsKey: isEmbedded(config.databaseUrl),
    })
  } catch (error) {
    if (!StoreInUseError.isInstance(error)) throw error
    const { pid } = error.details
    if (typeof pid !== 'number') throw error
    throw new StoreInUseError({
      message: `The store in ${config.home} is in use by process ${pid}, which does not answer over HTTP. Wait until it has started or ended, stop it ("kill ${pid}"), or pass --url to talk to another server.`,
      details: error.details,
      cause: error,
    })
  }
}

/** A command reports its own errors; what the parts say at `info` would only stand between its lines. */
function quieter(level: LoamConfig['logLevel']): LoamConfig['logLevel'] {
  return level === 'info' ? 'warn' : level
}

const ANSWER_WITHIN_MS = 5000

async function findAnsweringServer({ home }: LoamConfig): Promise<string | undefined> {
  const server = await findServer(home)
  if (server === undefined) return undefined
  try {
    const response = await fetch(`${server.url}/health/live`, {
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })
    return response.ok ? server.url : undefined
  } catch {
    // Its number may have passed to another process since. If not, the lock will tell.
    return undefined
  }
}

/** The development key that an embedded Loam keeps in its folder; undefined when it keeps none. */
async function readKey({ home }: LoamConfig): Promise<string | undefined> {
  try {
    return presence((await readFile(join(home, 'api-key'), 'utf8')).trim())
  } catch {
    return undefined
  }
}
