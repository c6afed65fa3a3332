import type { LoamConfig } from '@loam/runtime'
import type { MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import type { ApiEnvironment } from './api-environment.js'

/** How long a browser need not ask again, in seconds. */
const MAX_AGE_SECONDS = 600

/**
 * Lets the pages of some origins use the API from a browser. A page needs a key all the same, and no browser sends one by itself:
 * there are no cookies here.
 */
export function allowOrigins({
  corsOrigins,
}: Pick<LoamConfig, 'corsOrigins'>): MiddlewareHandler<ApiEnvironment> {
  return cors({
    origin: corsOrigins.includes('*') ? '*' : [...corsOrigins],
    allowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposeHeaders: ['ETag', 'Retry-After', 'X-Loam-Session-Id', 'X-Request-Id'],
    maxAge: MAX_AGE_SECONDS,
  })
}
