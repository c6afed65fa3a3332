import { createRoute, z } from '@hono/zod-openapi'
import type { Runtime } from '@loam/runtime'
import {
  MESSAGE_ORIGINS,
  MESSAGE_ROLES,
  messagePartSchema,
  toolCallSchema,
  type Message,
} from '@loam/storage'
import { accessOfOwner, owningUser } from '../acting-user.js'
import { createRoutes } from '../api-environment.js'
import { clientSignal } from '../client-signal.js'
import {
  answeredInstantSchema,
  identifierSchema,
  instantSchema,
  jsonObjectSchema,
  noQuery,
  pageFields,
  pageSchema,
  sessionParams,
  textSchema,
  userIdSchema,
} from '../fields.js'
import { getAgent, getSession, scopeOf } from '../find-by-name.js'
import { jsonAnswer, jsonBody } from '../media.js'
import { problemResponses } from '../problem.js'
import { sessionFields } from './sessions.js'

/** Most messages of one request. */
const MAX_BATCH_SIZE = 1000

const contentSchema = z.union([z.string(), z.array(messagePartSchema).max(1000), z.null()])

const newMessageSchema = z
  .strictObject({
    id: identifierSchema(500).optional().openapi({
      description: "The client's own id. A message sent twice with the same one is stored once.",
    }),
    role: z.enum(MESSAGE_ROLES),
    content: contentSchema,
    name: textSchema(200).optional(),
    senderId: identifierSchema(500).optional(),
    toolCalls: z.array(toolCallSchema).max(1000).optional(),
    toolCallId: identifierSchema(500).optional(),
    origin: z.enum(MESSAGE_ORIGINS).optional(),
    createdAt: instantSchema.optional(),
    metadata: jsonObjectSchema.optional(),
  })
  .openapi('NewMessage')

const messageSchema = z
  .strictObject({
    id: z.string(),
    sequence: z.int(),
    role: z.enum(MESSAGE_ROLES),
    content: contentSchema,
    name: z.string().optional(),
    senderId: z.string().optional(),
    toolCalls: z.array(toolCallSchema).optional(),
    toolCallId: z.string().optional(),
    origin: z.enum(MESSAGE_ORIGINS),
    createdAt: answeredInstantSchema,
    metadata: jsonObjectSchema.optional(),
  })
  .openapi('Message')

const batchSchema = z
  .strictObject({
    userId: userIdSchema.optional(),
    messages: z.array(newMessageSchema).min(1).max(MAX_BATCH_SIZE),
    newSession: z.strictObject(sessionFields).optional().openapi({
      description: 'What the session is made with, if this batch makes it.',
    }),
  })
  .openapi('MessageBatch')

const storedBatchSchema = z
  .strictObject({
    session: z.string().openapi({ description: 'Key of the session.' }),
    sessionId: z.uuid(),
    items: z.array(z.strictObject({ id: z.string(), sequence: z.int(), duplicate: z.boolean() })),
    stored: z.int(),
    duplicates: z.int(),
    indexState: z.enum(['complete', 'lexical']).openapi({
      description: '`lexical`: findable by words now, by meaning once the embedding model answers.',
    }),
  })
  .openapi('StoredMessages')

const storeMessages = createRoute({
  method: 'post',
  path: '/agents/{agent}/sessions/{session}/messages',
  operationId: 'storeMessages',
  tags: ['messages'],
  summary: 'Store messages; the first batch makes the session',
  request: { params: sessionParams, query: noQuery, body: jsonBody(batchSchema) },
  responses: {
    200: jsonAnswer('What became of each message.', storedBatchSchema),
    ...problemResponses,
  },
})

const listMessages = createRoute({
  method: 'get',
  path: '/agents/{agent}/sessions/{session}/messages',
  operationId: 'listMessages',
  tags: ['messages'],
  summary: 'List the messages of a session',
  request: {
    params: sessionParams,
    query: z.strictObject({
      userId: userIdSchema.optional(),
      ...pageFields,
      order: z.enum(['asc', 'desc']).default('asc'),
    }),
  },
  responses: {
    200: jsonAnswer('A page of messages.', pageSchema(messageSchema)),
    ...problemResponses,
  },
})

/** Messages: POST and GET /agents/{agent}/sessions/{session}/messages. */
export function messageRoutes(runtime: Runtime) {
  return createRoutes()
    .openapi(storeMessages, async (context) => {
      const key = context.get('apiKey')
      const params = context.req.valid('param')
      const { userId, messages, newSession = {} } = context.req.valid('json')
      const scope = await scopeOf(runtime, key, params.agent, owningUser(key, userId))
      const result = await runtime.memory.storeMessages(
        scope,
        { key: params.session, ...newSession },
        messages,
        { signal: clientSignal(context) },
      )
      const duplicates = result.items.filter(({ duplicate }) => duplicate).length
      return context.json(
        {
          session: result.session.key,
          sessionId: result.session.id,
          items: result.items.map(({ id, sequence, duplicate }) => ({ id, sequence, duplicate })),
          stored: result.items.length - duplicates,
          duplicates,
          indexState: result.indexState,
        },
        200,
      )
    })
    .openapi(listMessages, async (context) => {
      const { userId, order, ...request } = context.req.valid('query')
      const access = accessOfOwner(context.get('apiKey'), userId)
      const params = context.req.valid('param')
      const page = await runtime.storage.transaction(access, async (stores) => {
        const agent = await getAgent(stores, params.agent)
        const session = await getSession(stores, agent, params.session)
        return stores.messages.list(session.id, { ...request, newestFirst: order === 'desc' })
      })
      return context.json({ ...page, items: page.items.map(toAnswer) }, 200)
    })
}

function toAnswer(message: Message): z.infer<typeof messageSchema> {
  return {
    id: message.id,
    sequence: message.sequence,
    role: message.role,
    content:
      typeof message.content === 'object' && message.content !== null
        ? [...message.content]
        : message.content,
    name: message.name,
    senderId: message.senderId,
    toolCalls: message.toolCalls === undefined ? undefined : [...message.toolCalls],
    toolCallId: message.toolCallId,
    origin: message.origin,
    createdAt: message.createdAt.toISOString(),
    metadata: message.metadata,
  }
}
