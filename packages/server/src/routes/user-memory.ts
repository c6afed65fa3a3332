import { createRoute, z } from '@hono/zod-openapi'
import { ForbiddenError, isGroupUser } from '@loam/core'
import { contentText } from '@loam/memory'
import type { Runtime } from '@loam/runtime'
import { USER_DATA_KINDS, type ApiKey, type Message, type UserDataItem } from '@loam/storage'
import { owningUser } from '../acting-user.js'
import { createRoutes } from '../api-environment.js'
import {
  agentParams,
  answeredInstantSchema,
  identifierSchema,
  noQuery,
  pageFields,
  pageSchema,
  textSchema,
  userIdSchema,
} from '../fields.js'
import { requireAgent } from '../find-by-name.js'
import { jsonAnswer, jsonBody } from '../media.js'
import { problemResponses } from '../problem.js'

const userParams = agentParams.extend({
  userId: userIdSchema.openapi({ description: 'The user, percent-encoded.', example: 'ana' }),
})

const itemSchema = z
  .strictObject({
    kind: z.enum(USER_DATA_KINDS),
    id: z.string().openapi({
      description: 'Names it among all that is held, to forget or correct it.',
      example: 'message:0193a5b0-7000-7000-8000-000000000001:3',
    }),
    source: z
      .string()
      .openapi({ description: 'Key of the session, path of the document, name of the file.' }),
    text: z
      .string()
      .openapi({ description: 'What it says; of a message also the tools it called.' }),
    createdAt: answeredInstantSchema,
  })
  .openapi('UserMemoryItem')

const count = z.int()
const holdingsFields = {
  contextFiles: count,
  sessions: count,
  messages: count,
  runs: count,
  documents: count,
  episodes: count,
  chunks: count,
  vectors: count,
  postings: count,
  events: count,
  deliveries: count,
  acquaintances: count,
  modelCalls: count.openapi({
    description:
      "Model calls that bear the user's name; what they cost stays on record without it.",
  }),
}

const listMemory = createRoute({
  method: 'get',
  path: '/agents/{agent}/users/{userId}/memory',
  operationId: 'listUserMemory',
  tags: ['memory'],
  summary: 'Everything that is held about a user, newest first',
  request: {
    params: userParams,
    query: z.strictObject({
      kinds: z
        .string()
        .max(200)
        .transform((text) => text.split(','))
        .pipe(z.array(z.enum(USER_DATA_KINDS)))
        .optional()
        .openapi({
          type: 'string',
          description: 'Some of message, document, episode, file, separated by commas.',
        }),
      containing: textSchema(200).min(1).optional().openapi({
        description: 'Only what has this text in it, whatever the case.',
      }),
      ...pageFields,
    }),
  },
  responses: {
    200: jsonAnswer('A page of it.', pageSchema(itemSchema).openapi('UserMemoryPage')),
    ...problemResponses,
  },
})

const idSchema = identifierSchema(300)

const forgetItems = createRoute({
  method: 'post',
  path: '/agents/{agent}/users/{userId}/memory/forget',
  operationId: 'forgetUserMemory',
  tags: ['memory'],
  summary:
    'Forget some of what is held about a user, and all that was made of it; all of them or none',
  request: {
    params: userParams,
    query: noQuery,
    body: jsonBody(
      z.strictObject({ ids: z.array(idSchema).min(1).max(200) }).openapi('UserMemoryForget'),
    ),
  },
  responses: {
    200: jsonAnswer(
      'How much was forgotten.',
      z
        .strictObject({
          messages: count,
          documents: count,
          episodes: count.openapi({
            description: 'Those named, and those made with messages that were forgotten.',
          }),
          contextFiles: count,
          chunks: count,
          vectors: count,
          episodesToRewrite: count.openapi({
            description: 'Stretches of which a new episode is being made of what remains.',
          }),
        })
        .openapi('UserMemoryForgotten'),
    ),
    ...problemResponses,
  },
})

const correctItem = createRoute({
  method: 'put',
  path: '/agents/{agent}/users/{userId}/memory/items/{item}',
  operationId: 'correctUserMemory',
  tags: ['memory'],
  summary: 'Correct what a document, an episode or a file says about a user',
  request: {
    params: userParams.extend({
      item: idSchema.openapi({ description: 'Its id, percent-encoded.' }),
    }),
    query: noQuery,
    body: jsonBody(
      z.strictObject({ text: textSchema(2 * 1024 * 1024) }).openapi('UserMemoryCorrection'),
    ),
  },
  responses: { 200: jsonAnswer('As it is now.', itemSchema), ...problemResponses },
})

const eraseMemory = createRoute({
  method: 'delete',
  path: '/agents/{agent}/users/{userId}/memory',
  operationId: 'eraseUserMemory',
  tags: ['memory'],
  summary: 'Erase everything that is held about a user, wherever it went',
  request: { params: userParams, query: noQuery },
  responses: {
    200: jsonAnswer(
      'How much was erased.',
      z.strictObject(holdingsFields).openapi('UserMemoryErased'),
    ),
    ...problemResponses,
  },
})

const verifyMemory = createRoute({
  method: 'post',
  path: '/agents/{agent}/users/{userId}/memory/verify',
  operationId: 'verifyUserMemory',
  tags: ['memory'],
  summary: 'How much is held about a user; nothing, after it was erased',
  request: { params: userParams, query: noQuery },
  responses: {
    200: jsonAnswer(
      'What there is.',
      z
        .strictObject({ isEmpty: z.boolean(), held: z.strictObject(holdingsFields) })
        .openapi('UserMemoryVerified'),
    ),
    ...problemResponses,
  },
})

/** What is known about a person: GET and DELETE /agents/{agent}/users/{userId}/memory, POST …/verify and …/forget, PUT …/items/{item}. */
export function userMemoryRoutes(runtime: Runtime) {
  const { userMemory } = runtime

  async function scopeOf(key: ApiKey, place: { agent: string; userId: string }) {
    const userId = owningUser(key, place.userId)
    const { id } = await requireAgent(runtime, key, place.agent)
    return { tenantId: key.tenantId, agentId: id, userId }
  }

  return createRoutes()
    .openapi(listMemory, async (context) => {
      const scope = await scopeOf(context.get('apiKey'), context.req.valid('param'))
      const page = await userMemory.list(scope, context.req.valid('query'))
      return context.json({ ...page, items: page.items.map(toAnswer) }, 200)
    })
    .openapi(forgetItems, async (context) => {
      const key = context.get('apiKey')
      const scope = await scopeOf(key, context.req.valid('param'))
      const { ids } = context.req.valid('json')
      if (ids.some((id) => id.startsWith('file:'))) checkMayDeleteFiles(key)
      const { withdrawn, ...counts } = await userMemory.forget(scope, ids)
      return context.json({ ...counts, episodesToRewrite: withdrawn.length }, 200)
    })
    .openapi(correctItem, async (context) => {
      const { item, ...place } = context.req.valid('param')
      const scope = await scopeOf(context.get('apiKey'), place)
      const corrected = await userMemory.correct(scope, item, context.req.valid('json').text)
      return context.json(toAnswer(corrected), 200)
    })
    .openapi(eraseMemory, async (context) => {
      const key = context.get('apiKey')
      const scope = await scopeOf(key, context.req.valid('param'))
      checkMayDeleteFiles(key)
      return context.json({ ...(await userMemory.erase(scope)) }, 200)
    })
    .openapi(verifyMemory, async (context) => {
      const scope = await scopeOf(context.get('apiKey'), context.req.valid('param'))
      const held = await userMemory.holdings(scope)
      const isEmpty = Object.values(held).every((number) => number === 0)
      return context.json({ isEmpty, held: { ...held } }, 200)
    })
}

/**
 * Those of a group are deleted in the name of a person, or by an operator.
 *
 * @throws ForbiddenError for a key that is bound to a group, which is no person.
 */
function checkMayDeleteFiles({ userId }: ApiKey): void {
  if (userId === undefined || !isGroupUser(userId)) return
  throw new ForbiddenError({
    message:
      'This key is bound to a group and may not delete its context files. Use a key for every user of the tenant.',
  })
}

function toAnswer({ kind, id, source, content, toolCalls, createdAt }: UserDataItem) {
  const said = contentText(content as Message['content'])
  const called = toolCalls.map((call) => `${call.name}(${call.arguments})`)
  const text = [...(said === '' ? [] : [said]), ...called].join('\n')
  return { kind, id, source, text, createdAt: createdAt.toISOString() }
}
