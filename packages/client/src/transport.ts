import ky, { HTTPError, TimeoutError, type KyInstance } from 'ky'
import { ApiError, ConnectionError } from './api-error.js'
import { readError } from './read-error.js'
import { sendAgain } from './send-again.js'

/** Where the API is, and how it is asked. */
export interface TransportOptions {
  /** Address of the server, such as `http://127.0.0.1:7420`; a path in front of the API's is kept. */
  readonly url: string
  /** A key of the API; undefined, as of a variable that is not set, is refused. */
  readonly apiKey: string | undefined
  /** Sends the requests: both arguments tell of one, as the platform's takes them. Default: the platform's. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** How long an answer may take, in milliseconds. Default 60,000; chat and events have no limit. */
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
  /** Whether the answer is read as it comes. */
  readonly isStreamed?: boolean
}

/** Sends a request and gives an answer that is not an error; it has come to its end, unless it is streamed. */
export type Transport = (request: TransportRequest) => Promise<Response>

const DEFAULT_TIMEOUT_MS = 60_000
const DEFAULT_RETRIES = 3

/** Makes a transport over HTTP. */
export function createTransport(options: TransportOptions): Transport {
  const { url, retries = DEFAULT_RETRIES, timeoutMs = DEFAULT_TIMEOUT_MS } = options
  const { fetch = globalThis.fetch } = options
  const http = createHttp(options)
  return async ({ method, path, json, form, headers, signal, ...request }) => {
    const { isRepeatable, isUnhurried = false, isStreamed = false } = request
    const body = json === undefined ? form : JSON.stringify(json)
    try {
      return await http(path, {
        method,
        // The body is given here and not to ky, which keeps a copy of each request for the next attempt: of one with a body it
        // copies a stream, which costs more than the rest. Called as a function, since browsers refuse it as a method.
        fetch: async (input, init) => {
          const response = await fetch(input, body === undefined ? init : { ...init, body })
          return isStreamed && response.ok ? response : await whole(response)
        },
        headers: { ...headers, ...(json !== undefined && { 'content-type': 'application/json' }) },
        ...(signal !== undefined && { signal }),
        timeout: isUnhurried ? false : timeoutMs,
        retry: sendAgain({ retries, isRepeatable, signal }),
      })
    } catch (error) {
      throw await explain(error, url, signal)
    }
  }
}

function createHttp({ url, apiKey }: TransportOptions): KyInstance {
  const address = URL.canParse(url) ? new URL(url) : undefined
  if (address === undefined || !/^https?:$/.test(address.protocol)) {
    throw new TypeError('url must be an address of http or https, such as http://127.0.0.1:7420.')
  }
  if (address.username + address.password + address.search + address.hash !== '') {
    throw new TypeError('url must be an address without a user, a password, "?" and "#".')
  }
  if (typeof apiKey !== 'string' || !/^[!-~]+$/.test(apiKey)) {
    throw new TypeError(
      `apiKey must be letters, digits and signs of ASCII, without blanks and line breaks${apiKey === undefined ? '; it is undefined' : ''}.`,
    )
  }
  return ky.create({
    prefixUrl: address.href,
    headers: { authorization: `Bearer ${apiKey}` },
    // Followed, a redirect may turn what is to be stored into a question, or take it to another server.
    redirect: 'manual',
  })
}

/** Reads an answer to its end, so that one that breaks off counts as none. */
async function whole(response: Response): Promise<Response> {
  return response.body === null ? response : new Response(await response.arrayBuffer(), response)
}

async function explain(error: unknown, url: string, signal: AbortSignal | undefined) {
  if (signal?.aborted) return signal.reason as unknown
  const { host } = new URL(url)
  if (error instanceof HTTPError) {
    return isRedirect(error.response)
      ? redirected(error.response, host)
      : await readError(error.response)
  }
  if (error instanceof TimeoutError) {
    return new ConnectionError(`${host} did not answer in time.`, {
      code: 'timed_out',
      cause: error,
    })
  }
  const message = `${host} cannot be reached, or broke off.`
  return new ConnectionError(message, { code: 'unreachable', cause: error })
}

/** Browsers do not tell a redirect's status. */
function isRedirect({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400)
}

function redirected({ status, headers }: Response, host: string): ApiError {
  const location = headers.get('location')
  const target = location === null ? 'elsewhere' : `to ${JSON.stringify(location)}`
  return new ApiError({
    status,
    code: 'redirected',
    message: `${host} sends requests ${target}, which is not followed. Give url the address of the API itself.`,
  })
}
