import { createRoute, z } from '@hono/zod-openapi'
import { ForbiddenError } from '@loam/core'
import type { Runtime } from '@loam/runtime'
import { DELIVERY_STATES } from '@loam/storage'
import { createRoutes } from '../api-environment.js'
import { noQuery } from '../fields.js'
import { jsonAnswer } from '../media.js'
import { problemResponses } from '../problem.js'

const statusSchema = z
  .strictObject({
    checks: z.array(z.strictObject({ name: z.string(), ok: z.boolean(), detail: z.string() })),
    index: z.strictObject({
      chunks: z.int().openapi({ description: 'Found by words.' }),
      withoutVector: z.int().openapi({ description: 'Not yet found by meaning.' }),
      provider: z.string(),
      model: z.string(),
      dimensions: z.int(),
      languages: z.array(z.string()).optional().openapi({
        description:
          'In which meaning is searched, as BCP 47 tags; absent when the model does not say.',
      }),
    }),
    deliveries: z.array(
      z.strictObject({
        consumer: z.string(),
        state: z.enum(DELIVERY_STATES),
        count: z.int(),
      }),
    ),
  })
  .openapi('Status')

const getStatus = createRoute({
  method: 'get',
  path: '/status',
  operationId: 'getStatus',
  tags: ['health'],
  summary: 'What of the tenant is indexed, and what waits',
  request: { query: noQuery },
  responses: { 200: jsonAnswer('How it stands.', statusSchema), ...problemResponses },
})

/** How a tenant's memory stands: GET /status. */
export function statusRoutes(runtime: Runtime) {
  return createRoutes().openapi(getStatus, async (context) => {
    const { tenantId, userId } = context.get('apiKey')
    if (userId !== undefined) {
      throw new ForbiddenError({
        message:
          'The key is bound to a user, and the status counts what every user has. Use a key of the tenant.',
      })
    }
    const { checks, index, deliveries } = await runtime.status(tenantId)
    const { languages, ...rest } = index
    return context.json(
      {
        checks: [...checks],
        index: { ...rest, ...(languages && { languages: [...languages] }) },
        deliveries: [...deliveries],
      },
      200,
    )
  })
}
