import { setTimeout as delay } from 'node:timers/promises'
import type { AbortableOptions } from '@loam/core'
import { ApiError } from './api-error.js'

/** Sends a request somewhere: `fetch`, or an application in this process. */
export type Send = (path: string, init: RequestInit) => Response | Promise<Response>

/** What was read, and the tag that names its state. */
export interface Tagged<Result> {
  readonly result: Result
  readonly tag: string | undefined
}

/** Talks to the API of Loam. */
export interface ApiClient {
  get<Result>(path: string, options?: AbortableOptions): Promise<Result>
  /** Reads what is to be written back. */
  getTagged<Result>(path: string): Promise<Tagged<Result>>
  post<Result>(path: string, body: unknown, options?: AbortableOptions): Promise<Result>
  /** @param tag refuses the write when something else than what it names is stored. */
  put<Result>(path: string, body: unknown, tag?: string): Promise<Result>
  delete<Result>(path: string): Promise<Result>
  /** Sends a file as the body. */
  upload<Result>(path: string, file: Uint8Array, type: string): Promise<Result>
}

interface Content {
  readonly type: string
  readonly body: string | Uint8Array<ArrayBuffer>
}

interface RequestContent extends AbortableOptions {
  readonly content?: Content | undefined
  readonly tag?: string | undefined
}

const ATTEMPTS = 4
const RETRIED_STATUSES = new Set([429, 503])

/**
 * Makes a client. Requests that were refused for want of capacity are sent again, up to four times in all; that is
 * harmless, since every write of the API is idempotent.
 */
export function createApiClient({
  send,
  apiKey,
}: {
  readonly send: Send
  readonly apiKey: string
}): ApiClient {
  const ask = async (
    method: string,
    path: string,
    request: RequestContent = {},
    attempt = 1,
  ): Promise<Response> => {
    const { content, tag, signal } = request
    const response = await send(path, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(content && { 'content-type': content.type }),
        ...(tag !== undefined && { 'if-match': tag }),
      },
      ...(content && { body: content.body }),
      ...(signal && { signal }),
    })
    if (response.ok) return response
    if (RETRIED_STATUSES.has(response.status) && attempt < ATTEMPTS) {
      await delay(retryDelay(response, attempt), undefined, { signal })
      return await ask(method, path, request, attempt + 1)
    }
    throw await apiErrorOf(response)
  }
  const request = async <Result>(method: string, path: string, content?: RequestContent) =>
    (await (await ask(method, path, content)).json()) as Result
  return {
    get: async (path, options) => await request('GET', path, options),
    async getTagged<Result>(path: string): Promise<Tagged<Result>> {
      const response = await ask('GET', path)
      const tag = response.headers.get('etag') ?? undefined
      return { result: (await response.json()) as Result, tag }
    },
    post: async (path, body, options) =>
      await request('POST', path, { ...options, content: json(body) }),
    put: async (path, body, tag) => await request('PUT', path, { content: json(body), tag }),
    delete: async (path) => await request('DELETE', path),
    upload: async (path, file, type) =>
      await request('POST', path, { content: { type, body: Uint8Array.from(file) } }),
  }
}

function json(body: unknown): Content {
  return { type: 'application/json', body: JSON.stringify(body) }
}

function retryDelay(response: Response, attempt: number): number {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? Math.min(seconds, 30) * 1000 : 250 * 2 ** attempt
}

async function apiErrorOf(response: Response): Promise<ApiError> {
  const text = await response.text()
  const body = parseBody(text)
  return new ApiError({
    status: response.status,
    code: body.code ?? `http_${response.status}`,
    message:
      body.detail ?? body.title ?? `The server answered ${response.status} without an explanation.`,
    issues: body.issues,
  })
}

interface ErrorBody {
  readonly code?: string
  readonly title?: string
  readonly detail?: string
  readonly issues?: ApiError['issues']
}

function parseBody(text: string): ErrorBody {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null ? body : {}
  } catch {
    return {}
  }
}
