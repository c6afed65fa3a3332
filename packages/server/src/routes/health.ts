import { createRoute, z } from '@hono/zod-openapi'
import { StorageUnavailableError } from '@loam/core'
import type { HealthCheck, Runtime } from '@loam/runtime'
import { createRoutes } from '../api-environment.js'
import { jsonAnswer } from '../media.js'

const liveSchema = z.strictObject({ status: z.literal('ok') }).openapi('Live')

/** How one part of an installation stands. */
export const healthCheckSchema = z
  .strictObject({
    name: z.string(),
    ok: z.boolean(),
    required: z.boolean().openapi({
      description: 'Whether the process cannot do its work without it.',
    }),
    detail: z.string(),
  })
  .openapi('HealthCheck')

const readySchema = z
  .strictObject({
    status: z.enum(['ok', 'unavailable']),
    checks: z.array(healthCheckSchema),
  })
  .openapi('Ready')

const live = createRoute({
  method: 'get',
  path: '/health/live',
  tags: ['health'],
  summary: 'Whether the process answers',
  security: [],
  responses: { 200: jsonAnswer('It does.', liveSchema) },
})

const ready = createRoute({
  method: 'get',
  path: '/health/ready',
  tags: ['health'],
  summary: 'Whether it can serve: storage reachable and migrated',
  security: [],
  responses: {
    200: jsonAnswer('It can.', readySchema),
    503: jsonAnswer('It cannot at present.', readySchema),
  },
})

/** Health, without a key: GET /health/live and /health/ready. */
export function healthRoutes(runtime: Runtime) {
  return createRoutes()
    .openapi(live, (context) => context.json({ status: 'ok' } as const, 200))
    .openapi(ready, async (context) => {
      const checks = await readiness(runtime)
      const isReady = checks.every(({ ok, required }) => ok || !required)
      const answer = {
        status: isReady ? ('ok' as const) : ('unavailable' as const),
        checks: checks.map((check) => ({ ...check })),
      }
      return isReady ? context.json(answer, 200) : context.json(answer, 503)
    })
}

async function readiness(runtime: Runtime): Promise<readonly HealthCheck[]> {
  try {
    return await runtime.ready()
  } catch (error) {
    if (!StorageUnavailableError.isInstance(error)) throw error
    return [{ name: 'storage', ok: false, required: true, detail: 'The database does not answer.' }]
  }
}
