import { createRoute, z } from '@hono/zod-openapi'
import type { SearchResult } from '@loam/memory'
import type { Runtime } from '@loam/runtime'
import { CHUNK_SOURCES } from '@loam/storage'
import { actingUser } from '../acting-user.js'
import { createRoutes } from '../api-environment.js'
import { clientSignal } from '../client-signal.js'
import {
  agentParams,
  answeredInstantSchema,
  identifierSchema,
  instantSchema,
  noQuery,
  textSchema,
  timezoneSchema,
  userIdSchema,
} from '../fields.js'
import { scopeOf } from '../find-by-name.js'
import { jsonAnswer, jsonBody } from '../media.js'
import { problemResponses } from '../problem.js'

/** Longest query that is accepted; memory reads its beginning. */
const MAX_QUERY_LENGTH = 1024 * 1024

const searchRequestSchema = z
  .strictObject({
    query: textSchema(MAX_QUERY_LENGTH).min(1),
    userId: userIdSchema.optional(),
    maxResults: z.int().min(1).max(50).optional(),
    minScore: z.number().min(0).max(1).optional(),
    sources: z.array(z.enum(CHUNK_SOURCES)).min(1).max(CHUNK_SOURCES.length).optional(),
    pathPrefix: identifierSchema(500).optional(),
    now: instantSchema.optional(),
    timezone: timezoneSchema.optional(),
    explain: z.boolean().optional(),
  })
  .openapi('SearchRequest', {
    description:
      'Searches what is of the user and what all users share; with an empty userId the latter alone.',
  })

const scoreExplanationSchema = z
  .strictObject({
    lexical: z.number(),
    vector: z.number(),
    neighbours: z.number(),
    session: z.number(),
    speaker: z.number(),
    matchedTerms: z.array(z.string()),
    similarity: z.number().optional(),
  })
  .openapi('ScoreExplanation')

const searchResultSchema = z
  .strictObject({
    id: z.string(),
    source: z.enum(CHUNK_SOURCES),
    score: z.number(),
    text: z.string(),
    scope: z.enum(['personal', 'global']),
    path: z.string().optional(),
    startLine: z.int().optional(),
    endLine: z.int().optional(),
    session: z.string().optional(),
    sequence: z.int().optional(),
    messageId: z.string().optional(),
    episodeId: z.string().optional(),
    createdAt: answeredInstantSchema,
    explanation: scoreExplanationSchema.optional(),
  })
  .openapi('SearchResult')

const channelsSchema = z.strictObject({ lexical: z.number(), vector: z.number() })

const searchResponseSchema = z
  .strictObject({
    results: z.array(searchResultSchema),
    count: z.int(),
    degraded: z.string().optional().openapi({
      description:
        'Why less than usual was searched, such as an embedding model that did not answer.',
    }),
    explanation: z
      .strictObject({
        terms: z.array(z.string()),
        weights: channelsSchema,
        candidates: channelsSchema,
        timingsMs: z.strictObject({ embed: z.number(), search: z.number(), rank: z.number() }),
      })
      .optional(),
  })
  .openapi('SearchResponse')

const searchMemory = createRoute({
  method: 'post',
  path: '/agents/{agent}/memory/search',
  operationId: 'searchMemory',
  tags: ['memory'],
  summary: 'Find by words and by meaning',
  request: { params: agentParams, query: noQuery, body: jsonBody(searchRequestSchema) },
  responses: {
    200: jsonAnswer('What was found, best first.', searchResponseSchema),
    ...problemResponses,
  },
})

/** Search: POST /agents/{agent}/memory/search. */
export function searchRoutes(runtime: Runtime) {
  return createRoutes().openapi(searchMemory, async (context) => {
    const key = context.get('apiKey')
    const { userId, ...request } = context.req.valid('json')
    const { agent } = context.req.valid('param')
    const scope = await scopeOf(runtime, key, agent, actingUser(key, userId))
    const { results, count, degraded, explanation } = await runtime.memory.search(scope, request, {
      signal: clientSignal(context),
    })
    return context.json(
      {
        results: results.map(toAnswer),
        count,
        degraded,
        explanation: explanation && { ...explanation, terms: [...explanation.terms] },
      },
      200,
    )
  })
}

function toAnswer(result: SearchResult): z.infer<typeof searchResultSchema> {
  const { explanation } = result
  return {
    id: result.id,
    source: result.source,
    score: result.score,
    text: result.text,
    scope: result.scope,
    path: result.path,
    startLine: result.startLine,
    endLine: result.endLine,
    session: result.session,
    sequence: result.sequence,
    messageId: result.messageId,
    episodeId: result.episodeId,
    createdAt: result.createdAt.toISOString(),
    explanation: explanation && { ...explanation, matchedTerms: [...explanation.matchedTerms] },
  }
}
