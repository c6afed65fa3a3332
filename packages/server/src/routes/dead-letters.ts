import { createRoute, z } from '@hono/zod-openapi'
import { InvalidInputError } from '@loam/core'
import type { Runtime } from '@loam/runtime'
import type { Delivery } from '@loam/storage'
import { requireEveryUser } from '../acting-user.js'
import { createRoutes } from '../api-environment.js'
import { nameDeadLetters, type DeadLetterNames } from '../dead-letter-names.js'
import { answeredInstantSchema, noQuery, pageFields, pageSchema } from '../fields.js'
import { jsonAnswer, jsonBody } from '../media.js'
import { problemResponses } from '../problem.js'

const deadLetterSchema = z
  .strictObject({
    id: z.uuid(),
    consumer: z.string().openapi({ example: 'run.completed.episodic' }),
    tries: z.int().openapi({ description: 'How often it was tried.' }),
    lastError: z.string().optional(),
    event: z.strictObject({
      id: z.uuid(),
      type: z.string(),
      agentId: z.uuid(),
      agent: z.string().optional().openapi({ description: 'Its key, while there is one.' }),
      userId: z.string(),
      session: z.string().optional().openapi({
        description: 'The key of the session that it is about, if it is about one that is there.',
      }),
      occurredAt: answeredInstantSchema,
    }),
  })
  .openapi('DeadLetter')

const replayedSchema = z
  .strictObject({ replayed: z.int().openapi({ description: 'Deliveries that are due again.' }) })
  .openapi('Replayed')

const listDeadLetters = createRoute({
  method: 'get',
  path: '/dead-letters',
  operationId: 'listDeadLetters',
  tags: ['dead letters'],
  summary: 'List the work that was given up, newest first',
  request: { query: z.strictObject(pageFields) },
  responses: {
    200: jsonAnswer('A page of it.', pageSchema(deadLetterSchema)),
    ...problemResponses,
  },
})

const replayDeadLetters = createRoute({
  method: 'post',
  path: '/dead-letters/replay',
  operationId: 'replayDeadLetters',
  tags: ['dead letters'],
  summary:
    "Have given-up work tried again: that which is named, one consumer's, or all of the tenant",
  request: {
    query: noQuery,
    body: jsonBody(
      z
        .strictObject({
          ids: z.array(z.uuid()).min(1).max(1_000).optional(),
          consumer: z.string().min(1).max(200).optional(),
        })
        .openapi('ReplayDeadLetters'),
    ),
  },
  responses: { 200: jsonAnswer('They are due again.', replayedSchema), ...problemResponses },
})

/** Deliveries that wait for a person: GET /dead-letters, POST /dead-letters/replay. */
export function deadLetterRoutes(runtime: Runtime) {
  return createRoutes()
    .openapi(listDeadLetters, async (context) => {
      const key = context.get('apiKey')
      requireEveryUser(key, 'see the work that was given up')
      const { limit, cursor } = context.req.valid('query')
      const found = await runtime.storage.system.deliveries.listDead(key.tenantId, {
        limit: limit + 1,
        before: readCursor(cursor),
      })
      const items = found.slice(0, limit)
      const namesOf = await nameDeadLetters(runtime, key.tenantId, items)
      const nextCursor = found.length > limit ? items.at(-1)?.id : undefined
      return context.json(
        {
          items: items.map((delivery) => toAnswer(delivery, namesOf(delivery))),
          ...(nextCursor !== undefined && { nextCursor }),
        },
        200,
      )
    })
    .openapi(replayDeadLetters, async (context) => {
      const key = context.get('apiKey')
      requireEveryUser(key, 'replay the work that was given up')
      const replayed = await runtime.storage.system.deliveries.replay(
        key.tenantId,
        context.req.valid('json'),
        runtime.clock.now(),
      )
      return context.json({ replayed }, 200)
    })
}

function readCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined || z.uuid().safeParse(cursor).success) return cursor
  const message = 'Must be the nextCursor of the page before'
  throw new InvalidInputError({
    message: `cursor: ${message}.`,
    issues: [{ path: 'cursor', message }],
  })
}

function toAnswer(
  { id, consumer, tries, lastError, event }: Delivery,
  { agent, session }: DeadLetterNames,
) {
  const { type, agentId, userId, occurredAt } = event
  return {
    id,
    consumer,
    tries,
    ...(lastError !== undefined && { lastError }),
    event: {
      id: event.id,
      type,
      agentId,
      ...(agent !== undefined && { agent }),
      userId,
      ...(session !== undefined && { session }),
      occurredAt: occurredAt.toISOString(),
    },
  }
}
