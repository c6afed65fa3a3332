import { createRoute, z } from '@hono/zod-openapi'
import type { Runtime } from '@loam/runtime'
import { EPISODE_METHODS, type Episode } from '@loam/storage'
import { accessOfList } from '../acting-user.js'
import { createRoutes } from '../api-environment.js'
import {
  agentParams,
  answeredInstantSchema,
  listOwnerFields,
  pageFields,
  pageSchema,
  sessionKeySchema,
} from '../fields.js'
import { getAgent, getSession } from '../find-by-name.js'
import { jsonAnswer } from '../media.js'
import { problemResponses } from '../problem.js'

const episodeSchema = z
  .strictObject({
    id: z.uuid(),
    userId: z.string(),
    session: z.string().openapi({ description: 'Key of the session.' }),
    firstSequence: z.int(),
    lastSequence: z.int(),
    summary: z.string(),
    abstract: z.string(),
    topics: z.array(z.string()),
    method: z.enum(EPISODE_METHODS),
    messageCount: z.int(),
    startedAt: answeredInstantSchema,
    endedAt: answeredInstantSchema,
    createdAt: answeredInstantSchema,
    expiresAt: answeredInstantSchema.optional(),
  })
  .openapi('Episode')

const listEpisodes = createRoute({
  method: 'get',
  path: '/agents/{agent}/episodic',
  operationId: 'listEpisodes',
  tags: ['memory'],
  summary: 'List episodes, newest first',
  request: {
    params: agentParams,
    query: z.strictObject({
      ...listOwnerFields,
      session: sessionKeySchema.optional(),
      ...pageFields,
    }),
  },
  responses: {
    200: jsonAnswer('A page of episodes.', pageSchema(episodeSchema)),
    ...problemResponses,
  },
})

/** Episodes: GET /agents/{agent}/episodic. */
export function episodeRoutes(runtime: Runtime) {
  return createRoutes().openapi(listEpisodes, async (context) => {
    const { userId, allUsers, session: sessionKey, ...request } = context.req.valid('query')
    const access = accessOfList(context.get('apiKey'), { userId, allUsers })
    const page = await runtime.storage.transaction(access, async (stores) => {
      const agent = await getAgent(stores, context.req.valid('param').agent)
      const session =
        sessionKey === undefined ? undefined : await getSession(stores, agent, sessionKey)
      return stores.episodes.list(agent.id, {
        ...request,
        now: runtime.clock.now(),
        sessionId: session?.id,
      })
    })
    return context.json({ ...page, items: page.items.map(toAnswer) }, 200)
  })
}

function toAnswer(episode: Episode): z.infer<typeof episodeSchema> {
  return {
    id: episode.id,
    userId: episode.userId,
    session: episode.sessionKey,
    firstSequence: episode.firstSequence,
    lastSequence: episode.lastSequence,
    summary: episode.summary,
    abstract: episode.abstract,
    topics: [...episode.topics],
    method: episode.method,
    messageCount: episode.messageCount,
    startedAt: episode.startedAt.toISOString(),
    endedAt: episode.endedAt.toISOString(),
    createdAt: episode.createdAt.toISOString(),
    expiresAt: episode.expiresAt?.toISOString(),
  }
}
