import type { Logger } from '@loam/core'
import type { MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import type { ApiEnvironment } from './api-environment.js'

/** One line for each request: its route as a pattern, never what the URL or the body holds. */
export function accessLog(logger: Logger): MiddlewareHandler<ApiEnvironment> {
  return async (context, next) => {
    const start = performance.now()
    await next()
    const route = matchedRoutes(context).findLast(({ method }) => method !== 'ALL')?.path ?? 'none'
    const level = route.includes('/health/') ? 'debug' : 'info'
    logger[level]('request-handled', {
      method: context.req.method,
      route,
      status: context.res.status,
      ms: Math.round(performance.now() - start),
      requestId: context.get('requestId'),
    })
  }
}
