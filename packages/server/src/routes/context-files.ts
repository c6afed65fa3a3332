import { createRoute, z } from '@hono/zod-openapi'
import { checkFileName, type ContextFileName, type MergedFile } from '@loam/bootstrap'
import { NotFoundError } from '@loam/core'
import type { Runtime } from '@loam/runtime'
import type { ApiKey, StoredContextFile } from '@loam/storage'
import { owningUser, requireEveryUser, senderOf, userOrShared } from '../acting-user.js'
import { createRoutes } from '../api-environment.js'
import { checkOfMatch, entityTag } from '../entity-tag.js'
import { agentParams, answeredInstantSchema, noQuery, ownerQuery, userIdSchema } from '../fields.js'
import { requireAgent } from '../find-by-name.js'
import { jsonAnswer, jsonBody, taggedAnswer } from '../media.js'
import { problemResponses } from '../problem.js'

const fileName = z
  .string()
  .openapi({ description: 'Such as SOUL.md; the letters count.', example: 'SOUL.md' })
const fileParams = agentParams.extend({ name: fileName })
const userParams = agentParams.extend({
  userId: userIdSchema.openapi({ description: 'The user, percent-encoded.', example: 'ana' }),
})
const userFileParams = userParams.extend({ name: fileName })

const fileFields = {
  name: z.string(),
  userId: z.string().openapi({ description: "Whose it is; empty for the agent's own." }),
  version: z.int(),
  characters: z.int().openapi({ description: 'UTF-16 code units.' }),
  createdAt: answeredInstantSchema,
  updatedAt: answeredInstantSchema,
}
const fileSchema = z.strictObject({ ...fileFields, content: z.string() }).openapi('ContextFile')
const mergedFilesSchema = z
  .strictObject({
    items: z.array(z.strictObject({ ...fileFields, origin: z.enum(['agent', 'user']) })),
  })
  .openapi('MergedContextFiles')
const versionsSchema = z
  .strictObject({
    items: z.array(
      z.strictObject({
        version: z.int(),
        content: z.string(),
        replacedAt: answeredInstantSchema,
      }),
    ),
  })
  .openapi('ContextFileVersions')
const fileWriteSchema = z.strictObject({ content: z.string() }).openapi('ContextFileWrite')
const senderFields = {
  senderId: z.string().max(500).optional().openapi({
    description:
      'Who spoke, when the user is a group. A key that is bound to a user speaks as that user alone.',
  }),
  senderRole: z.string().max(100).optional().openapi({
    description: 'Their role on the channel; admins, operators and owners may change a group.',
  }),
}
const userFileWriteSchema = z
  .strictObject({ content: z.string(), ...senderFields })
  .openapi('UserContextFileWrite')
const userWriteAnswer = z
  .strictObject({
    outcome: z.enum(['written', 'onboarded']).openapi({
      description: '`onboarded`: BOOTSTRAP.md was written empty, which ends the first meeting.',
    }),
    file: fileSchema.optional(),
  })
  .openapi('ContextFileWritten')
const deletedSchema = z.strictObject({ deleted: z.boolean() }).openapi('ContextFileDeleted')

const matchHeaders = z.object({
  'if-match': z.string().max(2_000).optional().openapi({
    description:
      'The ETag of the file as it was read: what somebody changed since is not written over (412). `*`: only if there is one.',
  }),
})

const listFiles = createRoute({
  method: 'get',
  path: '/agents/{agent}/files',
  operationId: 'listContextFiles',
  tags: ['context files'],
  summary:
    "The files of the agent, or with userId those that the user has: their own, and the agent's where they have none",
  request: { params: agentParams, query: ownerQuery },
  responses: { 200: jsonAnswer('The files by name.', mergedFilesSchema), ...problemResponses },
})

const listUserFiles = createRoute({
  method: 'get',
  path: '/agents/{agent}/users/{userId}/files',
  operationId: 'listUserContextFiles',
  tags: ['context files'],
  summary: "The files that a user has: their own, and the agent's where they have none",
  request: { params: userParams, query: noQuery },
  responses: { 200: jsonAnswer('The files by name.', mergedFilesSchema), ...problemResponses },
})

const readFile = createRoute({
  method: 'get',
  path: '/agents/{agent}/files/{name}',
  operationId: 'getContextFile',
  tags: ['context files'],
  summary: "Read a file of the agent's own",
  request: { params: fileParams, query: noQuery },
  responses: { 200: taggedAnswer('The file.', fileSchema), ...problemResponses },
})

const writeFile = createRoute({
  method: 'put',
  path: '/agents/{agent}/files/{name}',
  operationId: 'putContextFile',
  tags: ['context files'],
  summary: "Write a file of the agent's own, as its operator",
  request: {
    params: fileParams,
    query: noQuery,
    headers: matchHeaders,
    body: jsonBody(fileWriteSchema),
  },
  responses: { 200: taggedAnswer('The file.', fileSchema), ...problemResponses },
})

const deleteFile = createRoute({
  method: 'delete',
  path: '/agents/{agent}/files/{name}',
  operationId: 'deleteContextFile',
  tags: ['context files'],
  summary: "Delete a file of the agent's own",
  request: { params: fileParams, query: noQuery },
  responses: { 200: jsonAnswer('Whether there was one.', deletedSchema), ...problemResponses },
})

const listVersions = createRoute({
  method: 'get',
  path: '/agents/{agent}/files/{name}/versions',
  operationId: 'listContextFileVersions',
  tags: ['context files'],
  summary: "What a file of the agent's own said before, newest first",
  request: { params: fileParams, query: noQuery },
  responses: { 200: jsonAnswer('The replaced texts.', versionsSchema), ...problemResponses },
})

const readUserFile = createRoute({
  method: 'get',
  path: '/agents/{agent}/users/{userId}/files/{name}',
  operationId: 'getUserContextFile',
  tags: ['context files'],
  summary: "Read a user's file as the agent's own tool does: theirs, else the agent's",
  request: { params: userFileParams, query: noQuery },
  responses: { 200: taggedAnswer('The file.', fileSchema), ...problemResponses },
})

const writeUserFile = createRoute({
  method: 'put',
  path: '/agents/{agent}/users/{userId}/files/{name}',
  operationId: 'putUserContextFile',
  tags: ['context files'],
  summary: "Write a user's file as the agent's own tool does, by its rules",
  request: {
    params: userFileParams,
    query: noQuery,
    headers: matchHeaders,
    body: jsonBody(userFileWriteSchema),
  },
  responses: { 200: taggedAnswer('What came of it.', userWriteAnswer), ...problemResponses },
})

const deleteUserFile = createRoute({
  method: 'delete',
  path: '/agents/{agent}/users/{userId}/files/{name}',
  operationId: 'deleteUserContextFile',
  tags: ['context files'],
  summary: "Delete a user's own file, by the rules of writing one",
  request: { params: userFileParams, query: z.strictObject(senderFields) },
  responses: { 200: jsonAnswer('Whether there was one.', deletedSchema), ...problemResponses },
})

/** Context files: /agents/{agent}/files and /agents/{agent}/users/{userId}/files, each with /{name}. */
export function contextFileRoutes(runtime: Runtime) {
  const { contextFiles } = runtime

  /** Names a file of the agent's own, which only a key for every user may see or change. */
  async function ownPlace(key: ApiKey, reference: string, name: string) {
    requireEveryUser(key, "read or change an agent's own files")
    const agent = await requireAgent(runtime, key, reference)
    return { tenantId: key.tenantId, agentId: agent.id, userId: '', name: checkFileName(name) }
  }

  async function merged(key: ApiKey, reference: string, userId: string) {
    const agent = await requireAgent(runtime, key, reference)
    const items = await contextFiles.merged(key.tenantId, agent, userId)
    return { items: items.map(toMerged) }
  }

  return createRoutes()
    .openapi(listFiles, async (context) => {
      const key = context.get('apiKey')
      const userId = userOrShared(key, context.req.valid('query').userId)
      return context.json(await merged(key, context.req.valid('param').agent, userId), 200)
    })
    .openapi(listUserFiles, async (context) => {
      const key = context.get('apiKey')
      const { agent, userId: user } = context.req.valid('param')
      return context.json(await merged(key, agent, owningUser(key, user)), 200)
    })
    .openapi(readFile, async (context) => {
      const { agent, name } = context.req.valid('param')
      const place = await ownPlace(context.get('apiKey'), agent, name)
      const file = found(await contextFiles.find(place), place.name)
      return context.json(toAnswer(file), 200, tagOf(file))
    })
    .openapi(writeFile, async (context) => {
      const { agent, name } = context.req.valid('param')
      const place = await ownPlace(context.get('apiKey'), agent, name)
      const check = checkOfMatch(context.req.valid('header')['if-match'])
      const file = await contextFiles.put(place, context.req.valid('json').content, check)
      return context.json(toAnswer(file), 200, tagOf(file))
    })
    .openapi(deleteFile, async (context) => {
      const { agent, name } = context.req.valid('param')
      const place = await ownPlace(context.get('apiKey'), agent, name)
      return context.json({ deleted: await contextFiles.delete(place) }, 200)
    })
    .openapi(listVersions, async (context) => {
      const { agent, name } = context.req.valid('param')
      const place = await ownPlace(context.get('apiKey'), agent, name)
      const versions = await contextFiles.versions(place)
      const items = versions.map(({ replacedAt, ...version }) => ({
        ...version,
        replacedAt: replacedAt.toISOString(),
      }))
      return context.json({ items }, 200)
    })
    .openapi(readUserFile, async (context) => {
      const key = context.get('apiKey')
      const { agent: reference, userId: user, name } = context.req.valid('param')
      const userId = owningUser(key, user)
      const agent = await requireAgent(runtime, key, reference)
      const known = checkFileName(name)
      const request = { tenantId: key.tenantId, agent, userId, name: known }
      const file = found(await contextFiles.read(request), known)
      return context.json(toAnswer(file), 200, tagOf(file))
    })
    .openapi(writeUserFile, async (context) => {
      const key = context.get('apiKey')
      const { agent: reference, userId: user, name } = context.req.valid('param')
      const { content, senderId, senderRole } = context.req.valid('json')
      const userId = owningUser(key, user)
      const sender = senderOf(key, { senderId, senderRole })
      const agent = await requireAgent(runtime, key, reference)
      const result = await contextFiles.write({
        tenantId: key.tenantId,
        agent,
        userId,
        name: checkFileName(name),
        content,
        sender,
        check: checkOfMatch(context.req.valid('header')['if-match']),
      })
      if (result.outcome === 'onboarded') return context.json({ outcome: result.outcome }, 200)
      const { outcome, file } = result
      return context.json({ outcome, file: toAnswer(file) }, 200, tagOf(file))
    })
    .openapi(deleteUserFile, async (context) => {
      const key = context.get('apiKey')
      const { agent: reference, userId: user, name } = context.req.valid('param')
      const userId = owningUser(key, user)
      const sender = senderOf(key, context.req.valid('query'))
      const agent = await requireAgent(runtime, key, reference)
      const file = { tenantId: key.tenantId, agent, userId, name: checkFileName(name) }
      return context.json({ deleted: await contextFiles.remove({ ...file, sender }) }, 200)
    })
}

function found(file: StoredContextFile | undefined, name: ContextFileName): StoredContextFile {
  if (file) return file
  throw new NotFoundError({ message: `There is no ${name} there. PUT makes one.` })
}

function tagOf(file: StoredContextFile): { readonly ETag: string } {
  return { ETag: entityTag(file) }
}

function toFields({ name, userId, version, content, createdAt, updatedAt }: StoredContextFile) {
  return {
    name,
    userId,
    version,
    characters: content.length,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}

function toAnswer(file: StoredContextFile): z.infer<typeof fileSchema> {
  return { ...toFields(file), content: file.content }
}

function toMerged({ file, origin }: MergedFile) {
  return { ...toFields(file), origin }
}
