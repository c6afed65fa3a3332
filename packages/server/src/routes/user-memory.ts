import { createRoute, z } from '@hono/zod-openapi'
import { contentText } from '@loam/memory'
import type { Runtime } from '@loam/runtime'
import { USER_DATA_KINDS, type ApiKey, type Message, type UserDataItem } from '@loam/storage'
import { owningUser } from '../acting-user.js'
import { createRoutes } from '../api-environment.js'
import {
  agentParams,
  answeredInstantSchema,
  noQuery,
  pageFields,
  pageSchema,
  userIdSchema,
} from '../fields.js'
import { requireAgent } from '../find-by-name.js'
import { jsonAnswer } from '../media.js'
import { problemResponses } from '../problem.js'

const userParams = agentParams.extend({
  user: userIdSchema.openapi({ description: 'The user, percent-encoded.', example: 'ana' }),
})

const itemSchema = z
  .strictObject({
    kind: z.enum(USER_DATA_KINDS),
    id: z.string().openapi({
      description:
        'Sequence of a message in its session, id of a document or an episode, name of a file.',
    }),
    source: z
      .string()
      .openapi({ description: 'Key of the session, path of the document, name of the file.' }),
    text: z.string(),
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
  path: '/agents/{agent}/users/{user}/memory',
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
      ...pageFields,
    }),
  },
  responses: {
    200: jsonAnswer('A page of it.', pageSchema(itemSchema).openapi('UserMemoryPage')),
    ...problemResponses,
  },
})

const eraseMemory = createRoute({
  method: 'delete',
  path: '/agents/{agent}/users/{user}/memory',
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
  path: '/agents/{agent}/users/{user}/memory/verify',
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

/** What is known about a person: GET and DELETE /agents/{agent}/users/{user}/memory, POST …/verify. */
export function userMemoryRoutes(runtime: Runtime) {
  const { storage } = runtime

  async function placeOf(key: ApiKey, { agent, user }: { agent: string; user: string }) {
    const userId = owningUser(key, user)
    const { id } = await requireAgent(runtime, key, agent)
    return { access: { tenantId: key.tenantId, userId }, agentId: id, userId }
  }

  return createRoutes()
    .openapi(listMemory, async (context) => {
      const place = await placeOf(context.get('apiKey'), context.req.valid('param'))
      const request = context.req.valid('query')
      const page = await storage.transaction(
        place.access,
        ({ userData }) => userData.list(place.agentId, place.userId, request),
        { readOnly: true },
      )
      return context.json({ ...page, items: page.items.map(toAnswer) }, 200)
    })
    .openapi(eraseMemory, async (context) => {
      const place = await placeOf(context.get('apiKey'), context.req.valid('param'))
      const erased = await storage.transaction(place.access, ({ userData }) =>
        userData.erase(place.agentId, place.userId),
      )
      return context.json({ ...erased }, 200)
    })
    .openapi(verifyMemory, async (context) => {
      const place = await placeOf(context.get('apiKey'), context.req.valid('param'))
      const held = await storage.transaction(
        place.access,
        ({ userData }) => userData.holdings(place.agentId, place.userId),
        { readOnly: true },
      )
      const isEmpty = Object.values(held).every((number) => number === 0)
      return context.json({ isEmpty, held: { ...held } }, 200)
    })
}

function toAnswer({ kind, id, source, content, createdAt }: UserDataItem) {
  const text = contentText(content as Message['content'])
  return { kind, id, source, text, createdAt: createdAt.toISOString() }
}
