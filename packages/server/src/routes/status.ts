import { createRoute, z } from '@hono/zod-openapi'
import type { Runtime, RuntimeStatus } from '@loam/runtime'
import { DELIVERY_STATES } from '@loam/storage'
import { requireEveryUser } from '../acting-user.js'
import { createRoutes } from '../api-environment.js'
import { answeredInstantSchema, noQuery } from '../fields.js'
import { jsonAnswer } from '../media.js'
import { problemResponses } from '../problem.js'
import { healthCheckSchema } from './health.js'

const statusSchema = z
  .strictObject({
    checks: z.array(healthCheckSchema),
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
    waiting: z
      .array(
        z.strictObject({
          consumer: z.string(),
          reason: z.string(),
          count: z.int(),
          nextAt: answeredInstantSchema,
        }),
      )
      .openapi({ description: 'What deliveries wait for that failed or were put off.' }),
    usage: z
      .strictObject({
        since: answeredInstantSchema,
        calls: z.int(),
        inputTokens: z.int(),
        outputTokens: z.int(),
        chargedTokens: z.int().openapi({ description: 'What counts against the daily limit.' }),
        costUsd: z.number(),
        dailyTokenLimit: z.int().optional(),
        dailyCostLimitUsd: z.number().optional(),
      })
      .openapi({ description: 'What model calls took since midnight UTC, and what they may.' }),
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
    const key = context.get('apiKey')
    requireEveryUser(key, 'count what every user has')
    const { checks, index, deliveries, waiting, usage } = await runtime.status(key.tenantId)
    const { languages, ...indexed } = index
    return context.json(
      {
        checks: [...checks],
        index: { ...indexed, ...(languages && { languages: [...languages] }) },
        deliveries: [...deliveries],
        waiting: waiting.map(({ nextAt, ...rest }) => ({ ...rest, nextAt: nextAt.toISOString() })),
        usage: toAnswer(usage),
      },
      200,
    )
  })
}

function toAnswer(usage: RuntimeStatus['usage']) {
  const { since, dailyTokenLimit, dailyCostLimitUsd, ...counted } = usage
  return {
    since: since.toISOString(),
    ...counted,
    ...(dailyTokenLimit !== undefined && { dailyTokenLimit }),
    ...(dailyCostLimitUsd !== undefined && { dailyCostLimitUsd }),
  }
}
