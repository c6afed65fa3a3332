import { createRoute, z } from '@hono/zod-openapi'
import { InvalidInputError } from '@loam/core'
import type { Runtime } from '@loam/runtime'
import type { AgentLinkTarget, ApiKey } from '@loam/storage'
import { requireEveryUser, sharedAccess } from '../acting-user.js'
import { createRoutes } from '../api-environment.js'
import {
  agentParams,
  agentReferenceSchema,
  answeredInstantSchema,
  noQuery,
  textSchema,
} from '../fields.js'
import { getAgent } from '../find-by-name.js'
import { jsonAnswer, jsonBody } from '../media.js'
import { problemResponses } from '../problem.js'

const linkParams = agentParams.extend({ target: agentReferenceSchema })

const linkSchema = z
  .strictObject({
    target: z.strictObject({
      id: z.uuid(),
      key: z.string(),
      displayName: z.string().optional(),
      description: z.string().optional().openapi({
        description: 'Not told to a key that is bound to a user.',
      }),
    }),
    description: z.string().optional().openapi({
      description:
        "What the target is for, in the eyes of this agent. Without it, the target's own description counts.",
    }),
    createdAt: answeredInstantSchema,
  })
  .openapi('AgentLink')
const linksSchema = z.strictObject({ items: z.array(linkSchema) }).openapi('AgentLinks')
const linkWriteSchema = z
  .strictObject({ description: textSchema(1_000).optional() })
  .openapi('AgentLinkWrite')
const deletedSchema = z.strictObject({ deleted: z.boolean() }).openapi('AgentLinkDeleted')

const listLinks = createRoute({
  method: 'get',
  path: '/agents/{agent}/links',
  operationId: 'listAgentLinks',
  tags: ['agents'],
  summary: 'Agents that this one may hand work to, by key',
  request: { params: agentParams, query: noQuery },
  responses: { 200: jsonAnswer('The links.', linksSchema), ...problemResponses },
})

const putLink = createRoute({
  method: 'put',
  path: '/agents/{agent}/links/{target}',
  operationId: 'putAgentLink',
  tags: ['agents'],
  summary: 'Let this agent hand work to another',
  request: { params: linkParams, query: noQuery, body: jsonBody(linkWriteSchema) },
  responses: { 200: jsonAnswer('The link.', linkSchema), ...problemResponses },
})

const deleteLink = createRoute({
  method: 'delete',
  path: '/agents/{agent}/links/{target}',
  operationId: 'deleteAgentLink',
  tags: ['agents'],
  summary: 'Take a link away',
  request: { params: linkParams, query: noQuery },
  responses: { 200: jsonAnswer('Whether there was one.', deletedSchema), ...problemResponses },
})

/** Links of agents: GET /agents/{agent}/links, PUT and DELETE /agents/{agent}/links/{target}. */
export function agentLinkRoutes({ storage }: Runtime) {
  return createRoutes()
    .openapi(listLinks, async (context) => {
      const key = context.get('apiKey')
      const { agent: reference } = context.req.valid('param')
      const items = await storage.transaction(sharedAccess(key), async (stores) =>
        stores.agentLinks.list((await getAgent(stores, reference)).id),
      )
      return context.json({ items: items.map((link) => toAnswer(key, link)) }, 200)
    })
    .openapi(putLink, async (context) => {
      const key = context.get('apiKey')
      requireEveryUser(key, 'link agents')
      const { agent: reference, target: targetReference } = context.req.valid('param')
      const { description } = context.req.valid('json')
      const link = await storage.transaction(sharedAccess(key), async (stores) => {
        const [agent, target] = await Promise.all([
          getAgent(stores, reference),
          getAgent(stores, targetReference),
        ])
        if (agent.id === target.id) {
          const message = 'An agent cannot hand work to itself. Name another one.'
          throw new InvalidInputError({ message, issues: [{ path: 'target', message }] })
        }
        const ids = { fromAgentId: agent.id, toAgentId: target.id }
        return { ...(await stores.agentLinks.put({ ...ids, description })), target }
      })
      return context.json(toAnswer(key, link), 200)
    })
    .openapi(deleteLink, async (context) => {
      const key = context.get('apiKey')
      requireEveryUser(key, 'unlink agents')
      const { agent: reference, target: targetReference } = context.req.valid('param')
      const deleted = await storage.transaction(sharedAccess(key), async (stores) => {
        const [agent, target] = await Promise.all([
          getAgent(stores, reference),
          getAgent(stores, targetReference),
        ])
        return await stores.agentLinks.delete(agent.id, target.id)
      })
      return context.json({ deleted }, 200)
    })
}

function toAnswer(
  apiKey: ApiKey,
  { target, description, createdAt }: AgentLinkTarget,
): z.infer<typeof linkSchema> {
  const { id, key, displayName } = target
  const told = apiKey.userId === undefined && { description: target.description }
  return {
    target: { id, key, displayName, ...told },
    description,
    createdAt: createdAt.toISOString(),
  }
}
