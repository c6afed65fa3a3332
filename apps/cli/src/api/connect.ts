import type { Runtime } from '@loam/runtime'
import type { ApiClient, Send } from './api-client.js'
import { checkUrl, connectTo, presence, requireKey } from './remote-connection.js'

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
  if (url !== undefined) {
    const apiKey = options.apiKey ?? presence(env['LOAM_API_KEY'])
    return connectTo(checkUrl(url), requireKey(apiKey, url))
  }
  // Loaded when it is wanted: it is most of Loam.
  const { connectLocally } = await import('./local-connection.js')
  return await connectLocally(options, env)
}

/**
 * Finds faults in where a command is to look, as far as they can be told without opening or asking anything.
 *
 * @throws ConfigurationError, or NotFoundError when there is no store where there must be one.
 */
export async function checkTarget(
  options: ConnectOptions,
  env: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  const url = options.url ?? presence(env['LOAM_URL'])
  if (url !== undefined) {
    requireKey(options.apiKey ?? presence(env['LOAM_API_KEY']), checkUrl(url))
    return
  }
  const { checkLocalTarget } = await import('./local-connection.js')
  checkLocalTarget(options, env)
}
