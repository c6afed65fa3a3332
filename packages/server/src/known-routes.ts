import { NotFoundError } from '@loam/core'
import type { Context, Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { TrieRouter } from 'hono/router/trie-router'
import type { ApiEnvironment } from './api-environment.js'
import { isOpenAiPath } from './openai-errors.js'

/**
 * Makes a check that refuses a request whose path or method the application does not have, and says which of the two it is.
 * The routes are read at the first request, when all are there.
 */
export function createRouteCheck(api: Hono<ApiEnvironment>): (context: Context) => void {
  let methodsOf: ReturnType<typeof methodLookup> | undefined
  return (context) => {
    methodsOf ??= methodLookup(api)
    const methods = methodsOf(context.req.path)
    if (methods.has(context.req.method)) return
    if (methods.size === 0) {
      throw new NotFoundError({ message: `There is no such route. ${hintFor(context.req.path)}` })
    }
    const allowed = [...methods].toSorted().join(', ')
    context.header('Allow', allowed)
    throw new HTTPException(405, {
      message: `${context.req.method} is not allowed here; allowed are ${allowed}.`,
    })
  }
}

/** What somebody probably meant who asks for a route that is not there. */
function hintFor(path: string): string {
  if (path.startsWith('/v1/v1/'))
    return 'The address of the server is to be given without /v1 here.'
  if (/^\/(?:chat\/completions|models)(?:\/|$)/.test(path)) {
    return 'Give the client a base URL that ends with /v1.'
  }
  if (isOpenAiPath(path)) {
    return "Of OpenAI's API there are POST /v1/chat/completions and GET /v1/models."
  }
  return 'GET /openapi.json lists them.'
}

function methodLookup(api: Hono<ApiEnvironment>): (path: string) => ReadonlySet<string> {
  const router = new TrieRouter<string>()
  for (const { method, path } of api.routes) {
    if (method !== 'ALL') router.add('ALL', path, method)
  }
  return (path) => {
    const methods = new Set(router.match('ALL', path)[0].map(([method]) => method))
    if (methods.has('GET')) methods.add('HEAD')
    return methods
  }
}
