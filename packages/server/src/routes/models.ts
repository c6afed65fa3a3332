import { createRoute, z } from '@hono/zod-openapi'
import { NotFoundError } from '@loam/core'
import type { Runtime } from '@loam/runtime'
import { AGENT_KEY_PATTERN, type Agent, type ApiKey } from '@loam/storage'
import { sharedAccess } from '../acting-user.js'
import { createRoutes } from '../api-environment.js'
import { noQuery } from '../fields.js'
import { jsonAnswer } from '../media.js'
import { openAiErrorResponses } from '../openai-errors.js'

const PREFIX = 'loam:'

const modelSchema = z
  .strictObject({
    id: z.string().openapi({ example: 'loam:assistant' }),
    object: z.literal('model'),
    created: z.int().openapi({ description: 'Seconds since 1970.' }),
    owned_by: z.literal('loam'),
  })
  .openapi('Model', { description: 'An agent, as a model that can be talked to.' })

const listModels = createRoute({
  method: 'get',
  path: '/models',
  operationId: 'listModels',
  tags: ['chat'],
  summary: 'List the agents as models',
  request: { query: noQuery },
  responses: {
    200: jsonAnswer(
      'All agents.',
      z
        .strictObject({ object: z.literal('list'), data: z.array(modelSchema) })
        .openapi('ModelList'),
    ),
    ...openAiErrorResponses,
  },
})

const readModel = createRoute({
  method: 'get',
  path: '/models/{model}',
  operationId: 'getModel',
  tags: ['chat'],
  summary: 'Read an agent as a model',
  request: { query: noQuery, params: z.strictObject({ model: modelSchema.shape.id }) },
  responses: { 200: jsonAnswer('The agent.', modelSchema), ...openAiErrorResponses },
})

/** Agents as models: GET /models and /models/{model}. */
export function modelRoutes(runtime: Runtime) {
  return createRoutes()
    .openapi(listModels, async (context) => {
      const agents = await runtime.storage.transaction(
        sharedAccess(context.get('apiKey')),
        async (stores) => {
          const all: Agent[] = []
          for (let cursor: string | undefined; ;) {
            const page = await stores.agents.list({ limit: 200, cursor })
            all.push(...page.items)
            if (page.nextCursor === undefined) return all
            cursor = page.nextCursor
          }
        },
      )
      return context.json({ object: 'list' as const, data: agents.map(toModel) }, 200)
    })
    .openapi(readModel, async (context) => {
      const { model } = context.req.valid('param')
      return context.json(toModel(await agentOfModel(runtime, context.get('apiKey'), model)), 200)
    })
}

/** The agent that a model's name stands for. @throws NotFoundError, saying what names there are. */
export async function agentOfModel(runtime: Runtime, key: ApiKey, model: string): Promise<Agent> {
  const reference = model.startsWith(PREFIX) ? model.slice(PREFIX.length) : ''
  const agent = AGENT_KEY_PATTERN.test(reference)
    ? await runtime.findAgent(key.tenantId, reference)
    : undefined
  if (agent !== undefined) return agent
  throw new NotFoundError({
    message: `There is no model ${JSON.stringify(model.slice(0, 200))}. A model is an agent, such as "loam:assistant"; GET /v1/models lists them.`,
  })
}

function toModel({ key, createdAt }: Agent): z.infer<typeof modelSchema> {
  return {
    id: `${PREFIX}${key}`,
    object: 'model',
    created: Math.floor(createdAt.getTime() / 1000),
    owned_by: 'loam',
  }
}
