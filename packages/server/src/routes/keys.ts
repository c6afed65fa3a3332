import { createRoute, z } from '@hono/zod-openapi'
import { ConflictError, ForbiddenError, InvalidInputError, NotFoundError } from '@loam/core'
import { generateSecret, hashSecret, OWN_KEY_NAMES, type Runtime } from '@loam/runtime'
import type { ApiKey, Stores } from '@loam/storage'
import { requireEveryUser } from '../acting-user.js'
import { createRoutes } from '../api-environment.js'
import {
  answeredInstantSchema,
  identifierSchema,
  noQuery,
  pageFields,
  pageSchema,
  userIdSchema,
} from '../fields.js'
import { jsonAnswer, jsonBody } from '../media.js'
import { problemResponses } from '../problem.js'

const nameSchema = identifierSchema(200)
const keyParams = z.strictObject({ key: nameSchema.openapi({ description: 'Name of the key.' }) })

const keyFields = {
  name: z.string(),
  userId: z.string().openapi({ description: 'The one user it acts for.' }),
  createdAt: answeredInstantSchema,
}
const keySchema = z.strictObject(keyFields).openapi('UserKey')
const newKeySchema = z
  .strictObject({
    ...keyFields,
    secret: z
      .string()
      .openapi({ description: 'The key itself. It is stored nowhere, and told once.' }),
  })
  .openapi('NewUserKey')

const createKey = createRoute({
  method: 'post',
  path: '/keys',
  operationId: 'createUserKey',
  tags: ['keys'],
  summary: 'Make a key that is bound to a user, for that user’s own programs and pages',
  request: {
    query: noQuery,
    body: jsonBody(
      z
        .strictObject({
          userId: userIdSchema.openapi({ description: 'The one user it is to act for.' }),
          name: nameSchema.optional().openapi({ description: 'Default: a new one.' }),
        })
        .openapi('UserKeyRequest'),
    ),
  },
  responses: { 201: jsonAnswer('The key.', newKeySchema), ...problemResponses },
})

const listKeys = createRoute({
  method: 'get',
  path: '/keys',
  operationId: 'listUserKeys',
  tags: ['keys'],
  summary: 'List the keys that are bound to users, by name',
  request: { query: z.strictObject({ userId: userIdSchema.optional(), ...pageFields }) },
  responses: { 200: jsonAnswer('A page of them.', pageSchema(keySchema)), ...problemResponses },
})

const revokeKey = createRoute({
  method: 'delete',
  path: '/keys/{key}',
  operationId: 'revokeUserKey',
  tags: ['keys'],
  summary: 'End a key that is bound to a user',
  request: { params: keyParams, query: noQuery },
  responses: { 200: jsonAnswer('It is no longer accepted.', keySchema), ...problemResponses },
})

/**
 * Keys of users: POST and GET /keys, DELETE /keys/{key}. Those for every user are not to be had here: they are made by
 * whoever has the database (`loam keys`), so that one that fell into wrong hands cannot make another.
 */
export function keyRoutes(runtime: Runtime) {
  const asOperator = <Result>(
    { tenantId }: ApiKey,
    work: (stores: Stores) => Promise<Result>,
  ): Promise<Result> => runtime.storage.transaction({ tenantId, everyUser: true }, work)

  return createRoutes()
    .openapi(createKey, async (context) => {
      const key = context.get('apiKey')
      requireEveryUser(key, 'make keys')
      const { userId, name = runtime.generateId() } = context.req.valid('json')
      checkName(name)
      if (userId === '') throw invalid('userId', 'Must name the user that it is to act for')
      const secret = generateSecret()
      const row = { id: runtime.generateId(), name, hash: hashSecret(secret), userId }
      const added = await asOperator(key, ({ apiKeys }) => apiKeys.add(row))
      if (added === undefined) {
        throw new ConflictError({
          message: `There is a key ${JSON.stringify(name)} already. Choose another name.`,
        })
      }
      return context.json({ ...toAnswer(added), secret }, 201)
    })
    .openapi(listKeys, async (context) => {
      const key = context.get('apiKey')
      requireEveryUser(key, 'list keys')
      const page = await asOperator(key, ({ apiKeys }) =>
        apiKeys.listBound(context.req.valid('query')),
      )
      return context.json({ ...page, items: page.items.map(toAnswer) }, 200)
    })
    .openapi(revokeKey, async (context) => {
      const key = context.get('apiKey')
      requireEveryUser(key, 'end keys')
      const { key: name } = context.req.valid('param')
      const ended = await asOperator(key, async ({ apiKeys }) => {
        const found = await apiKeys.find(name)
        if (found === undefined) {
          throw new NotFoundError({ message: `There is no key ${JSON.stringify(name)}.` })
        }
        if (found.userId === undefined) {
          throw new ForbiddenError({
            message: `The key ${JSON.stringify(name)} acts for every user. Whoever has the database ends it, by "loam keys revoke".`,
          })
        }
        await apiKeys.delete(found.id)
        return found
      })
      return context.json(toAnswer(ended), 200)
    })
}

function checkName(name: string): void {
  if (!OWN_KEY_NAMES.has(name)) return
  throw invalid(
    'name',
    `Must not be one of ${[...OWN_KEY_NAMES].join(', ')}, which Loam gives itself`,
  )
}

function invalid(path: string, message: string): InvalidInputError {
  return new InvalidInputError({ message: `${path}: ${message}.`, issues: [{ path, message }] })
}

function toAnswer({ name, userId = '', createdAt }: ApiKey) {
  return { name, userId, createdAt: createdAt.toISOString() }
}
