import { createRoute, z } from '@hono/zod-openapi'
import type { Runtime } from '@loam/runtime'
import { INDEX_STATES, type DocumentSummary, type MemoryDocument } from '@loam/storage'
import { userOrShared } from '../acting-user.js'
import { createRoutes } from '../api-environment.js'
import { clientSignal } from '../client-signal.js'
import {
  agentParams,
  answeredInstantSchema,
  deletionReceiptSchema,
  identifierSchema,
  jsonObjectSchema,
  noQuery,
  ownerQuery,
  pageFields,
  pageSchema,
  userIdSchema,
} from '../fields.js'
import { scopeOf } from '../find-by-name.js'
import { jsonAnswer, jsonBody } from '../media.js'
import { problemResponses } from '../problem.js'

/** A path has slashes of its own, so it is matched to the end of the URL. */
const DOCUMENT_PATH = '/agents/{agent}/memory/documents/:path{.+}'

const documentParams = agentParams.extend({
  path: z.string().openapi({
    description: 'Such as MEMORY.md or memory/2026-11-30.md. Its slashes need no encoding.',
    example: 'MEMORY.md',
  }),
})

const documentFields = {
  id: z.uuid(),
  path: z.string(),
  userId: z
    .string()
    .openapi({ description: 'Its owner; empty when all users of the agent share it.' }),
  hash: z.string(),
  indexState: z.enum(INDEX_STATES),
  metadata: jsonObjectSchema,
  createdAt: answeredInstantSchema,
  updatedAt: answeredInstantSchema,
}

const documentSchema = z
  .strictObject({ ...documentFields, content: z.string() })
  .openapi('Document')

const documentSummarySchema = z
  .strictObject({ ...documentFields, contentLength: z.int() })
  .openapi('DocumentSummary')

const writtenDocumentSchema = z
  .strictObject({
    ...documentFields,
    contentLength: z.int(),
    indexing: z.enum(['unchanged', 'complete', 'lexical']).openapi({
      description: '`unchanged`: the same text was there already, so nothing was done.',
    }),
  })
  .openapi('WrittenDocument')

const documentWriteSchema = z
  .strictObject({
    content: z.string(),
    userId: userIdSchema.optional(),
    metadata: jsonObjectSchema.optional(),
  })
  .openapi('DocumentWrite', { description: 'Without userId, the document that all users share.' })

const listDocuments = createRoute({
  method: 'get',
  path: '/agents/{agent}/memory/documents',
  operationId: 'listDocuments',
  tags: ['memory'],
  summary: "List a user's documents and the shared ones, by path",
  request: {
    params: agentParams,
    query: z.strictObject({
      userId: userIdSchema.optional(),
      pathPrefix: identifierSchema(500).optional(),
      ...pageFields,
    }),
  },
  responses: {
    200: jsonAnswer('A page of documents.', pageSchema(documentSummarySchema)),
    ...problemResponses,
  },
})

const putDocument = createRoute({
  method: 'put',
  path: DOCUMENT_PATH,
  operationId: 'putDocument',
  tags: ['memory'],
  summary: 'Write a document and make it findable',
  request: { params: documentParams, query: noQuery, body: jsonBody(documentWriteSchema) },
  responses: {
    200: jsonAnswer('The document, replaced.', writtenDocumentSchema),
    201: jsonAnswer('The document, made.', writtenDocumentSchema),
    ...problemResponses,
  },
})

const readDocument = createRoute({
  method: 'get',
  path: DOCUMENT_PATH,
  operationId: 'getDocument',
  tags: ['memory'],
  summary: "Read a user's own document, else the shared one",
  request: { params: documentParams, query: ownerQuery },
  responses: { 200: jsonAnswer('The document.', documentSchema), ...problemResponses },
})

const deleteDocument = createRoute({
  method: 'delete',
  path: DOCUMENT_PATH,
  operationId: 'deleteDocument',
  tags: ['memory'],
  summary: 'Delete the document of exactly this owner',
  request: { params: documentParams, query: ownerQuery },
  responses: { 200: jsonAnswer('What was deleted.', deletionReceiptSchema), ...problemResponses },
})

/** Memory documents: GET /agents/{agent}/memory/documents, PUT, GET and DELETE …/documents/{path}. */
export function documentRoutes(runtime: Runtime) {
  const { memory } = runtime
  return createRoutes()
    .openapi(listDocuments, async (context) => {
      const key = context.get('apiKey')
      const { userId, ...request } = context.req.valid('query')
      const { agent } = context.req.valid('param')
      const scope = await scopeOf(runtime, key, agent, userOrShared(key, userId))
      const page = await memory.listDocuments(scope, request)
      return context.json({ ...page, items: page.items.map(toSummary) }, 200)
    })
    .openapi(putDocument, async (context) => {
      const key = context.get('apiKey')
      const { agent, path } = context.req.valid('param')
      const { userId, content, metadata } = context.req.valid('json')
      const scope = await scopeOf(runtime, key, agent, userOrShared(key, userId))
      const { document, created, indexing } = await memory.putDocument(
        scope,
        { path, content, metadata },
        { signal: clientSignal(context) },
      )
      const summary = toSummary({ ...document, contentLength: document.content.length })
      return context.json({ ...summary, indexing }, created ? 201 : 200)
    })
    .openapi(readDocument, async (context) => {
      const key = context.get('apiKey')
      const { agent, path } = context.req.valid('param')
      const userId = userOrShared(key, context.req.valid('query').userId)
      const document = await memory.getDocument(await scopeOf(runtime, key, agent, userId), path)
      return context.json({ ...toFields(document), content: document.content }, 200)
    })
    .openapi(deleteDocument, async (context) => {
      const key = context.get('apiKey')
      const { agent, path } = context.req.valid('param')
      const userId = userOrShared(key, context.req.valid('query').userId)
      const receipt = await memory.deleteDocument(await scopeOf(runtime, key, agent, userId), path)
      return context.json(receipt, 200)
    })
}

function toSummary(document: DocumentSummary): z.infer<typeof documentSummarySchema> {
  return { ...toFields(document), contentLength: document.contentLength }
}

function toFields(document: Omit<MemoryDocument, 'content'>) {
  return {
    id: document.id,
    path: document.path,
    userId: document.userId,
    hash: document.hash,
    indexState: document.indexState,
    metadata: document.metadata,
    createdAt: document.createdAt.toISOString(),
    updatedAt: document.updatedAt.toISOString(),
  }
}
