import { setTimeout as delay } from 'node:timers/promises'

/** What came back of a request. */
export interface Answer {
  readonly status: number
  readonly contentType: string
  readonly body: unknown
  readonly elapsedMs: number
}

/** A request under `/v1`. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: unknown
}

/** Talks to an API that may go away and come back. */
export interface ApiClient {
  /** @throws Error when nobody answers. */
  readonly ask: (request: ApiRequest) => Promise<Answer>
  /** Asks once. @throws Error unless it succeeds. */
  readonly demand: <Body>(request: ApiRequest) => Promise<Body>
  /** Asks again and again, with the same words, until it succeeds. @throws Error when it is refused, or after two minutes. */
  readonly insist: <Body>(request: ApiRequest) => Promise<Body>
}

/** How to reach it. */
export interface ApiClientOptions {
  /** Asked anew for each request, since an API that is started again has another port. */
  readonly url: () => string
  readonly apiKey: string
  /** Gets every answer. */
  readonly onAnswer?: (answer: Answer, request: ApiRequest) => void
}

const ANSWER_WITHIN_MS = 30_000
const SUCCEED_WITHIN_MS = 120_000
const RETRY_AFTER_MS = 100

/** Makes a client. */
export function createApiClient({ url, apiKey, onAnswer }: ApiClientOptions): ApiClient {
  async function ask(request: ApiRequest): Promise<Answer> {
    const { method, path, body } = request
    const started = performance.now()
    const response = await fetch(`${url()}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })
    const text = await response.text()
    const answer: Answer = {
      status: response.status,
      contentType: response.headers.get('content-type') ?? '',
      body: text === '' ? undefined : JSON.parse(text),
      elapsedMs: performance.now() - started,
    }
    onAnswer?.(answer, request)
    return answer
  }
  return {
    ask,
    async demand<Body>(request: ApiRequest) {
      const answer = await ask(request)
      if (answer.status >= 300) throw refused(request, answer)
      return answer.body as Body
    },
    async insist<Body>(request: ApiRequest) {
      const end = performance.now() + SUCCEED_WITHIN_MS
      for (;;) {
        const answer = await ask(request).catch((error: unknown) => error)
        if (!(answer instanceof Error)) {
          const { status, body } = answer as Answer
          if (status < 300) return body as Body
          if (status < 500) throw refused(request, answer as Answer)
        }
        if (performance.now() > end) {
          const last = answer instanceof Error ? answer : refused(request, answer as Answer)
          throw new Error(`${request.method} ${request.path} did not succeed.`, { cause: last })
        }
        await delay(RETRY_AFTER_MS)
      }
    },
  }
}

function refused({ method, path }: ApiRequest, { status, body }: Answer): Error {
  return new Error(`${method} ${path} was answered with ${status}: ${JSON.stringify(body)}`)
}
