import { createRoute, z } from '@hono/zod-openapi'
import type { Runtime } from '@loam/runtime'
import { RUN_STATUSES } from '@loam/storage'
import { owningUser } from '../acting-user.js'
import { createRoutes } from '../api-environment.js'
import { identifierSchema, noQuery, sessionParams, textSchema, userIdSchema } from '../fields.js'
import { scopeOf } from '../find-by-name.js'
import { jsonAnswer, jsonBody } from '../media.js'
import { problemResponses } from '../problem.js'

const tokenCountSchema = z.int().min(0)

const runReportSchema = z
  .strictObject({
    userId: userIdSchema.optional(),
    runId: identifierSchema(500).openapi({
      description: "The client's own id. A report sent twice counts once.",
    }),
    status: z.enum(RUN_STATUSES),
    compactionSummary: textSchema(200_000).optional().openapi({
      description: "What the client's own compaction made of the conversation so far.",
    }),
    usage: z
      .strictObject({
        inputTokens: tokenCountSchema.optional(),
        outputTokens: tokenCountSchema.optional(),
      })
      .optional(),
  })
  .openapi('RunReport')

const acceptedRunSchema = z
  .strictObject({ runId: z.string(), eventId: z.uuid() })
  .openapi('AcceptedRun')

const reportRun = createRoute({
  method: 'post',
  path: '/agents/{agent}/sessions/{session}/runs',
  operationId: 'reportRun',
  tags: ['runs'],
  summary: 'Report an answered turn or finished task, which sets consolidation going',
  request: { params: sessionParams, query: noQuery, body: jsonBody(runReportSchema) },
  responses: { 202: jsonAnswer('The run is stored.', acceptedRunSchema), ...problemResponses },
})

/** Runs: POST /agents/{agent}/sessions/{session}/runs. */
export function runRoutes(runtime: Runtime) {
  return createRoutes().openapi(reportRun, async (context) => {
    const key = context.get('apiKey')
    const params = context.req.valid('param')
    const { userId, ...report } = context.req.valid('json')
    const scope = await scopeOf(runtime, key, params.agent, owningUser(key, userId))
    const { runId, eventId } = await runtime.reportRun(scope, params.session, report)
    return context.json({ runId, eventId }, 202)
  })
}
