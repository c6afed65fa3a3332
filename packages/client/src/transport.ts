import ky, { HTTPError, TimeoutError, type KyInstance } from 'ky'
import { ConnectionError } from './api-error.js'
import { readError } from './read-error.js'

/** Where the API is, and how it is asked. */
export interface TransportOptions {
  /** Address of the server, such as `http://127.0.0.1:4190`; a path in front of the API's is kept. */
  readonly url: string
  readonly apiKey: string
  /** Sends the requests: both arguments tell of one, as the platform's takes them. Default: the platform's. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** How long an answer may take to begin, in milliseconds. Default 60,000; chat has no limit. */
  readonly timeoutMs?: number | undefined
  /** How often a request is sent again, after a refusal for want of capacity or a broken connection. Default 3. */
  readonly retries?: number | undefined
}

/** A request as the transport sends it. */
export interface TransportRequest {
  readonly method: string
  /** Below the server's address, without a slash at the beginning. */
  readonly path: string
  readonly json?: unknown
  readonly form?: FormData | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly signal?: AbortSignal | undefined
  /** Whether it may be sent again after its answer was lost. */
  readonly isRepeatable: boolean
  /** Whether the answer may take as long as it likes. */
  readonly isUnhurried?: boolean
}

/** Sends a request and gives an answer that is not an error. */
export type Transport = (request: TransportRequest) => Promise<Response>

const DEFAULT_TIMEOUT_MS = 60_000
const DEFAULT_RETRIES = 3
/** The server says with these that it has not done what it was asked for. */
const REFUSED_FOR_NOW = [429, 503]
const MAX_RETRY_DELAY_MS = 30_000

/** Makes a transport over HTTP. */
export function createTransport(options: TransportOptions): Transport {
  const { url, apiKey, retries = DEFAULT_RETRIES, timeoutMs = DEFAULT_TIMEOUT_MS } = options
  const { http, sendWith } = createHttp(options)
  return async ({ method, path, json, form, headers, signal, isRepeatable, isUnhurried }) => {
    try {
      return await http(path, {
        method,
        headers: {
          ...headers,
          authorization: `Bearer ${apiKey}`,
          ...(json !== undefined && { 'content-type': 'application/json' }),
        },
        fetch: sendWith(json === undefined ? form : JSON.stringify(json)),
        ...(signal !== undefined && { signal }),
        timeout: isUnhurried ? false : timeoutMs,
        retry: {
          limit: retries,
          methods: ['get', 'post', 'put', 'patch', 'delete'],
          statusCodes: REFUSED_FOR_NOW,
          afterStatusCodes: REFUSED_FOR_NOW,
          maxRetryAfter: MAX_RETRY_DELAY_MS,
          backoffLimit: MAX_RETRY_DELAY_MS,
          jitter: true,
          shouldRetry: ({ error }) =>
            error instanceof HTTPError ? undefined : isRepeatable && !signal?.aborted,
        },
      })
    } catch (error) {
      throw await explain(error, url, signal)
    }
  }
}

interface Http {
  readonly http: KyInstance
  /** Sends what ky gives it with that body. */
  readonly sendWith: (body: string | FormData | undefined) => typeof globalThis.fetch
}

function createHttp({ url, fetch = globalThis.fetch }: TransportOptions): Http {
  const address = URL.canParse(url) ? new URL(url) : undefined
  if (address === undefined || !/^https?:$/.test(address.protocol)) {
    throw new TypeError('url must be an address of http or https, such as http://127.0.0.1:4190.')
  }
  return {
    http: ky.create({ prefixUrl: address.href }),
    // ky keeps a copy of each request for the next attempt; of one with a body it copies a stream, which costs more than the
    // rest. Called as a function, since browsers refuse it as a method of another object.
    sendWith: (body) => async (request, init) =>
      await fetch(request, body === undefined ? init : { ...init, body }),
  }
}

async function explain(error: unknown, url: string, signal: AbortSignal | undefined) {
  if (signal?.aborted) return signal.reason as unknown
  if (error instanceof HTTPError) return await readError(error.response)
  const host = new URL(url).host
  if (error instanceof TimeoutError) {
    return new ConnectionError(`${host} did not answer in time.`, {
      code: 'timed_out',
      cause: error,
    })
  }
  const message = `${host} cannot be reached, or broke off.`
  return new ConnectionError(message, { code: 'unreachable', cause: error })
}
