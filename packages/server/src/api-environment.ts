import type { HttpBindings } from '@hono/node-server'
import { OpenAPIHono } from '@hono/zod-openapi'
import type { ApiKey } from '@loam/storage'

/** What each request carries on its way to a route. */
export interface ApiEnvironment {
  /** Node's own request, when it came over a socket. */
  Bindings: Partial<HttpBindings>
  Variables: {
    /** Also in the answer's `X-Request-Id` and in the log. */
    requestId: string
    /** Whose request it is; set for everything that needs a key. */
    apiKey: ApiKey
  }
}

/** An empty set of routes. */
export function createRoutes(): OpenAPIHono<ApiEnvironment> {
  return new OpenAPIHono<ApiEnvironment>()
}
