import { InvalidInputError } from '@loam/core'
import type { MiddlewareHandler } from 'hono'
import type { ApiEnvironment } from './api-environment.js'

/**
 * The path of a request, still percent-encoded, so that an encoded slash stays part of its segment.
 * Parameters are decoded once, after routing.
 */
export function encodedPath(request: Request): string {
  const { url } = request
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const end = url.slice(start).search(/[?#]/)
  return end === -1 ? url.slice(start) : url.slice(start, start + end)
}

/**
 * Refuses a URL that would name something else than its sender means: one that cannot be decoded, and one with `.` or `..`
 * between its slashes. Those are resolved before the route is found, so that deleting a document could delete an agent.
 */
export const checkUrl: MiddlewareHandler<ApiEnvironment> = async (context, next) => {
  const { url } = context.req
  if (!isDecodable(url)) {
    throw refusal(
      'The URL has malformed percent-encoding. Encode each part as UTF-8, such as with encodeURIComponent.',
    )
  }
  // Only here it is still as it was sent; clients such as `fetch` resolve it themselves.
  const environment: ApiEnvironment['Bindings'] | undefined = context.env
  const [sentPath = ''] = (environment?.incoming?.url ?? '').split(/[?#]/)
  if (DOT_SEGMENT.test(sentPath)) {
    throw refusal(
      'The URL has "." or ".." as a part of its path. Leave it out, or choose another name.',
    )
  }
  await next()
}

const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:\/|$)/i

function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url)
    return true
  } catch {
    return false
  }
}

function refusal(message: string): InvalidInputError {
  return new InvalidInputError({ message, issues: [{ path: 'url', message }] })
}
