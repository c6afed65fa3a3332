import { createRoute, z } from '@hono/zod-openapi'
import { ConflictError, NotFoundError, toStorableJson } from '@loam/core'
import type { Runtime } from '@loam/runtime'
import { SESSION_KINDS, sessionKindOf, type Session, type Stores } from '@loam/storage'
import { accessOfList, accessOfOwner, owningUser } from '../acting-user.js'
import { createRoutes } from '../api-environment.js'
import {
  agentParams,
  answeredInstantSchema,
  deletionReceiptSchema,
  jsonObjectSchema,
  listOwnerFields,
  noQuery,
  ownerQuery,
  pageFields,
  pageSchema,
  sessionParams,
  textSchema,
  timezoneSchema,
  userIdSchema,
} from '../fields.js'
import { getAgent, getSession } from '../find-by-name.js'
import { jsonAnswer, jsonBody } from '../media.js'
import { problemResponses } from '../problem.js'

/** What may be told of a session when it is made. */
export const sessionFields = {
  kind: z.enum(SESSION_KINDS).optional(),
  channel: textSchema(500).optional(),
  timezone: timezoneSchema.optional(),
  contextWindow: z.int().min(1).max(100_000_000).optional(),
  title: textSchema(500).optional(),
  metadata: jsonObjectSchema.optional(),
}

const sessionSchema = z
  .strictObject({
    id: z.uuid(),
    key: z.string(),
    userId: z.string(),
    kind: z.enum(SESSION_KINDS),
    channel: z.string().optional(),
    timezone: z.string().optional(),
    contextWindow: z.int().optional(),
    title: z.string().optional(),
    metadata: jsonObjectSchema,
    lastSequence: z
      .int()
      .openapi({ description: 'Sequence of its newest message; 0 when it has none.' }),
    createdAt: answeredInstantSchema,
    updatedAt: answeredInstantSchema,
  })
  .openapi('Session')

const sessionWriteSchema = z
  .strictObject({
    userId: userIdSchema.optional(),
    kind: sessionFields.kind,
    channel: sessionFields.channel.nullable(),
    timezone: sessionFields.timezone.nullable(),
    contextWindow: sessionFields.contextWindow.nullable(),
    title: sessionFields.title.nullable(),
    metadata: sessionFields.metadata,
  })
  .openapi('SessionWrite', {
    description:
      'Makes the session, or changes the fields given; null empties one. Owner and kind are fixed when it is made.',
  })

type SessionWrite = z.infer<typeof sessionWriteSchema>

const listSessions = createRoute({
  method: 'get',
  path: '/agents/{agent}/sessions',
  operationId: 'listSessions',
  tags: ['sessions'],
  summary: 'List sessions, newest first',
  request: { params: agentParams, query: z.strictObject({ ...listOwnerFields, ...pageFields }) },
  responses: {
    200: jsonAnswer('A page of sessions.', pageSchema(sessionSchema)),
    ...problemResponses,
  },
})

const putSession = createRoute({
  method: 'put',
  path: '/agents/{agent}/sessions/{session}',
  operationId: 'putSession',
  tags: ['sessions'],
  summary: 'Make or change a session',
  request: { params: sessionParams, query: noQuery, body: jsonBody(sessionWriteSchema) },
  responses: {
    200: jsonAnswer('The session, changed.', sessionSchema),
    201: jsonAnswer('The session, made.', sessionSchema),
    ...problemResponses,
  },
})

const readSession = createRoute({
  method: 'get',
  path: '/agents/{agent}/sessions/{session}',
  operationId: 'getSession',
  tags: ['sessions'],
  summary: 'Read a session',
  request: { params: sessionParams, query: ownerQuery },
  responses: { 200: jsonAnswer('The session.', sessionSchema), ...problemResponses },
})

const deleteSession = createRoute({
  method: 'delete',
  path: '/agents/{agent}/sessions/{session}',
  operationId: 'deleteSession',
  tags: ['sessions'],
  summary: 'Delete a session and everything derived from it',
  request: { params: sessionParams, query: ownerQuery },
  responses: { 200: jsonAnswer('What was deleted.', deletionReceiptSchema), ...problemResponses },
})

/** Sessions: GET /agents/{agent}/sessions, PUT, GET and DELETE …/sessions/{session}. */
export function sessionRoutes(runtime: Runtime) {
  const { storage } = runtime
  return createRoutes()
    .openapi(listSessions, async (context) => {
      const { userId, allUsers, ...request } = context.req.valid('query')
      const access = accessOfList(context.get('apiKey'), { userId, allUsers })
      const page = await storage.transaction(access, async (stores) => {
        const agent = await getAgent(stores, context.req.valid('param').agent)
        return stores.sessions.list(agent.id, request)
      })
      return context.json({ ...page, items: page.items.map(toAnswer) }, 200)
    })
    .openapi(putSession, async (context) => {
      const key = context.get('apiKey')
      const { userId: requested, ...input } = context.req.valid('json')
      const userId = owningUser(key, requested)
      const access = { tenantId: key.tenantId, userId }
      const params = context.req.valid('param')
      const { session, created } = await storage.transaction(access, async (stores) => {
        const agent = await getAgent(stores, params.agent)
        const ensured = await stores.sessions.ensure({
          id: runtime.generateId(),
          agentId: agent.id,
          key: params.session,
          userId,
          ...toNewSession(input, params.session, userId),
        })
        if (ensured.created) return ensured
        return { session: await changeSession(stores, ensured.session, input), created: false }
      })
      return context.json(toAnswer(session), created ? 201 : 200)
    })
    .openapi(readSession, async (context) => {
      const access = accessOfOwner(context.get('apiKey'), context.req.valid('query').userId)
      const params = context.req.valid('param')
      const session = await storage.transaction(access, async (stores) =>
        getSession(stores, await getAgent(stores, params.agent), params.session),
      )
      return context.json(toAnswer(session), 200)
    })
    .openapi(deleteSession, async (context) => {
      const access = accessOfOwner(context.get('apiKey'), context.req.valid('query').userId)
      const params = context.req.valid('param')
      const receipt = await storage.transaction(access, async (stores) => {
        const session = await getSession(
          stores,
          await getAgent(stores, params.agent),
          params.session,
        )
        return (await stores.sessions.delete(session.id)) ?? goneSession(params.session)
      })
      return context.json(receipt, 200)
    })
}

function toNewSession(input: Omit<SessionWrite, 'userId'>, key: string, userId: string) {
  return {
    kind: input.kind ?? sessionKindOf(key, userId),
    channel: input.channel ?? undefined,
    timezone: input.timezone ?? undefined,
    contextWindow: input.contextWindow ?? undefined,
    title: input.title ?? undefined,
    metadata: toStorableJson(input.metadata ?? {}),
  }
}

async function changeSession(
  stores: Stores,
  session: Session,
  { kind, metadata, ...fields }: Omit<SessionWrite, 'userId'>,
): Promise<Session> {
  if (kind !== undefined && kind !== session.kind) {
    throw new ConflictError({
      message: `The session ${JSON.stringify(session.key)} is of kind "${session.kind}", and a kind does not change. Leave "kind" out, or make another session.`,
    })
  }
  const patch = { ...fields, ...(metadata !== undefined && { metadata: toStorableJson(metadata) }) }
  if (Object.values(patch).every((value) => value === undefined)) return session
  return (await stores.sessions.update(session.id, patch)) ?? goneSession(session.key)
}

function goneSession(key: string): never {
  throw new NotFoundError({ message: `The session ${JSON.stringify(key)} has just been deleted.` })
}

function toAnswer(session: Session): z.infer<typeof sessionSchema> {
  return {
    id: session.id,
    key: session.key,
    userId: session.userId,
    kind: session.kind,
    channel: session.channel,
    timezone: session.timezone,
    contextWindow: session.contextWindow,
    title: session.title,
    metadata: session.metadata,
    lastSequence: session.lastSequence,
    createdAt: session.createdAt.toISOString(),
    updatedAt: session.updatedAt.toISOString(),
  }
}
