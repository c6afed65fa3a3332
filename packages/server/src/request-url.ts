import { InvalidInputError } from '@loam/core'
import type { MiddlewareHandler } from 'hono'

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

/** Refuses a URL that cannot be decoded, since half of it decoded would name something else. */
export const checkUrlEncoding: MiddlewareHandler = async (context, next) => {
  if (!isDecodable(context.req.url)) {
    const message =
      'The URL has malformed percent-encoding. Encode each part as UTF-8, such as with encodeURIComponent.'
    throw new InvalidInputError({ message, issues: [{ path: 'url', message }] })
  }
  await next()
}

function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url)
    return true
  } catch {
    return false
  }
}
