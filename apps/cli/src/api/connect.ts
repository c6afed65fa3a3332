import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigurationError, NotFoundError, StoreInUseError } from '@loam/core'
import { createRuntime, type LoamConfig, type Runtime } from '@loam/runtime'
import { createApi } from '@loam/server'
import { findServer } from '@loam/server/node'
import { loadConfiguration } from '../configuration.js'
import { createLogger } from '../logger.js'
import { describeStore, holdsStore } from '../store.js'
import { createApiClient, type ApiClient, type Send } from './api-client.js'
import { ApiError } from './api-error.js'

/** Which API a command should talk to. */
export interface ConnectOptions {
  /** Default: `LOAM_URL`; else a server that runs on the home folder; else this process. */
  readonly url?: string | undefined
  /** Default: `LOAM_API_KEY`; else the key in the home folder. */
  readonly apiKey?: string | undefined
  /** Whether jobs run, should the API run in this process. Default false: they wait for a server. */
  readonly jobs?: boolean | undefined
  /** Whether an embedded store that is not there is an error rather than made. Default false. */
  readonly mustExist?: boolean | undefined
}

/** A way to the API, and what it leads to. */
export interface Connection {
  readonly client: ApiClient
  /** Sends a request without a key, as health needs none. */
  readonly send: Send
  /** Where the API answers, in words. */
  readonly description: string
  /** Present when the API runs in this process. */
  readonly runtime: Runtime | undefined
  /** Waits until jobs are done that nobody but this process would do. */
  readonly settle: () => Promise<void>
  readonly close: () => Promise<void>
}

/**
 * Finds the API: at a URL if one is given, else at the server that runs on the home folder, else inside this process.
 *
 * @throws StoreInUseError when another process holds the store and does not answer.
 */
export async function connect(
  options: ConnectOptions = {},
  env: NodeJS.ProcessEnv = process.env,
): Promise<Connection> {
  const url = options.url ?? presence(env['LOAM_URL'])
  const apiKey = options.apiKey ?? presence(env['LOAM_API_KEY'])
  if (url !== undefined) return connectTo(url, requireKey(apiKey, url))
  const config = loadConfiguration(env)
  const server = await findAnsweringServer(config)
  return server === undefined
    ? await connectInProcess(config, options)
    : connectTo(server, requireKey(apiKey ?? (await readKey(config)), server))
}

function connectTo(url: string, apiKey: string): Connection {
  const base = url.replace(/\/+$/, '')
  const send: Send = async (path, init) => {
    try {
      return await fetch(base + path, init)
    } catch (cause) {
      init.signal?.throwIfAborted()
      const reason =
        cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : ''
      throw new ApiError({
        status: 0,
        code: 'unreachable',
        message: `No server answers at ${base}${reason && ` (${reason})`}. Check the URL, and that it runs.`,
      })
    }
  }
  return {
    client: createApiClient({ send, apiKey }),
    send,
    description: `the server at ${base}`,
    runtime: undefined,
    settle: async () => {},
    close: async () => {},
  }
}

/**
 * Finds faults in where a command is to look, as far as they can be told without opening or asking anything.
 *
 * @throws ConfigurationError, or NotFoundError when there is no store where there must be one.
 */
export function checkTarget(
  { url: givenUrl, apiKey, mustExist = false }: ConnectOptions,
  env: NodeJS.ProcessEnv = process.env,
): void {
  const url = givenUrl ?? presence(env['LOAM_URL'])
  if (url !== undefined) requireKey(apiKey ?? presence(env['LOAM_API_KEY']), url)
  else if (mustExist) requireStore(loadConfiguration(env))
  else loadConfiguration(env)
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
      logger: createLogger(quieter(config.logLevel)),
      handlers: config.redisUrl === undefined,
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

function requireKey(key: string | undefined, where: string): string {
  if (key !== undefined) return key
  const message = `No key for ${where}. Set LOAM_API_KEY, or pass --api-key.`
  throw new ConfigurationError({ message, issues: [{ path: 'LOAM_API_KEY', message }] })
}

function presence(value: string | undefined): string | undefined {
  return value === '' ? undefined : value
}
