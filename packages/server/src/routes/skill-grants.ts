import { createRoute, z } from '@hono/zod-openapi'
import type { Runtime } from '@loam/runtime'
import { createRoutes } from '../api-environment.js'
import { agentReferenceSchema, noQuery, userIdSchema } from '../fields.js'
import { requireAgent } from '../find-by-name.js'
import { jsonAnswer, jsonBody } from '../media.js'
import { problemResponses } from '../problem.js'
import { principalOf } from '../skill-principal.js'
import {
  agentGrantSchema,
  skillParams,
  toAgentGrant,
  toUserGrant,
  userGrantSchema,
  versionNumberSchema,
} from './skill-schemas.js'

const agentParams = skillParams.extend({ agent: agentReferenceSchema })
const userParams = skillParams.extend({ userId: userIdSchema })
const revokedSchema = z.strictObject({ revoked: z.boolean() }).openapi('SkillGrantRevoked')

const listGrants = createRoute({
  method: 'get',
  path: '/skills/{skill}/grants',
  operationId: 'listSkillGrants',
  tags: ['skills'],
  summary: 'Who may use a skill by a grant',
  request: { params: skillParams, query: noQuery },
  responses: {
    200: jsonAnswer(
      'The grants.',
      z
        .strictObject({ agents: z.array(agentGrantSchema), users: z.array(userGrantSchema) })
        .openapi('SkillGrants'),
    ),
    ...problemResponses,
  },
})

const grantAgent = createRoute({
  method: 'put',
  path: '/skills/{skill}/grants/agents/{agent}',
  operationId: 'grantSkillToAgent',
  tags: ['skills'],
  summary: 'Let an agent use a skill, at a version of its own if one is pinned',
  request: {
    params: agentParams,
    query: noQuery,
    body: jsonBody(
      z
        .strictObject({
          pinnedVersion: versionNumberSchema.nullable().optional().openapi({
            description: 'Left out, a version that is pinned stays so; null pins none.',
          }),
          canManage: z.boolean().default(false),
        })
        .openapi('SkillAgentGrantWrite'),
    ),
  },
  responses: { 200: jsonAnswer('The grant.', agentGrantSchema), ...problemResponses },
})

const revokeAgent = createRoute({
  method: 'delete',
  path: '/skills/{skill}/grants/agents/{agent}',
  operationId: 'revokeSkillFromAgent',
  tags: ['skills'],
  summary: 'Take the grant of an agent back',
  request: { params: agentParams, query: noQuery },
  responses: { 200: jsonAnswer('Whether there was one.', revokedSchema), ...problemResponses },
})

const grantUser = createRoute({
  method: 'put',
  path: '/skills/{skill}/grants/users/{userId}',
  operationId: 'grantSkillToUser',
  tags: ['skills'],
  summary: 'Let a user use a skill with every agent',
  request: {
    params: userParams,
    query: noQuery,
    body: jsonBody(
      z.strictObject({ canManage: z.boolean().default(false) }).openapi('SkillUserGrantWrite'),
    ),
  },
  responses: { 200: jsonAnswer('The grant.', userGrantSchema), ...problemResponses },
})

const revokeUser = createRoute({
  method: 'delete',
  path: '/skills/{skill}/grants/users/{userId}',
  operationId: 'revokeSkillFromUser',
  tags: ['skills'],
  summary: 'Take the grant of a user back',
  request: { params: userParams, query: noQuery },
  responses: { 200: jsonAnswer('Whether there was one.', revokedSchema), ...problemResponses },
})

/** Grants of skills: /skills/{skill}/grants, with /agents/{agent} and /users/{userId}. */
export function skillGrantRoutes(runtime: Runtime) {
  const { skills } = runtime
  return createRoutes()
    .openapi(listGrants, async (context) => {
      const principal = principalOf(context.get('apiKey'))
      const { agents, users } = await skills.grants(principal, context.req.valid('param').skill)
      return context.json({ agents: agents.map(toAgentGrant), users: users.map(toUserGrant) }, 200)
    })
    .openapi(grantAgent, async (context) => {
      const key = context.get('apiKey')
      const { skill, agent: reference } = context.req.valid('param')
      const { pinnedVersion, canManage } = context.req.valid('json')
      const agent = await requireAgent(runtime, key, reference)
      const grant = { agentId: agent.id, pinnedVersion, canManage }
      const given = await skills.grantAgent(principalOf(key), skill, grant)
      return context.json(toAgentGrant(given), 200)
    })
    .openapi(revokeAgent, async (context) => {
      const key = context.get('apiKey')
      const { skill, agent: reference } = context.req.valid('param')
      const agent = await requireAgent(runtime, key, reference)
      const revoked = await skills.revokeAgent(principalOf(key), skill, agent.id)
      return context.json({ revoked }, 200)
    })
    .openapi(grantUser, async (context) => {
      const { skill, userId: user } = context.req.valid('param')
      const { canManage } = context.req.valid('json')
      const principal = principalOf(context.get('apiKey'))
      const given = await skills.grantUser(principal, skill, { userId: user, canManage })
      return context.json(toUserGrant(given), 200)
    })
    .openapi(revokeUser, async (context) => {
      const { skill, userId: user } = context.req.valid('param')
      const revoked = await skills.revokeUser(principalOf(context.get('apiKey')), skill, user)
      return context.json({ revoked }, 200)
    })
}
