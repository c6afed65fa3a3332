import { createRoute, z } from '@hono/zod-openapi'
import { skillRequestOf, type Runtime, type TurnSkillsRequest } from '@loam/runtime'
import { SKILL_ACCESS_REASONS, type ExplainedSkill } from '@loam/skills'
import type { ApiKey } from '@loam/storage'
import { requireEveryUser, userOrShared } from '../acting-user.js'
import { createRoutes } from '../api-environment.js'
import { clientSignal } from '../client-signal.js'
import {
  agentParams,
  agentReferenceSchema,
  ownerQuery,
  textSchema,
  userIdSchema,
} from '../fields.js'
import { requireAgent } from '../find-by-name.js'
import { bytesAnswer, jsonAnswer, jsonBody } from '../media.js'
import { problemResponses } from '../problem.js'
import {
  skillParams,
  skillPathSchema,
  skillReferenceSchema,
  toUsableSkill,
  usableSkillFields,
} from './skill-schemas.js'

const FILE_PATH = '/agents/{agent}/skills/{skill}/files/:path{.+}'
const agentSkillParams = agentParams.extend({ skill: skillReferenceSchema })
const fileParams = agentSkillParams.extend({ path: skillPathSchema })

/** Takes the place of the agent's allow list for one request. */
export const skillFilterSchema = z
  .array(z.string().max(256))
  .max(10_000)
  .nullable()
  .optional()
  .openapi({
    description:
      "Takes the place of the agent's list for this request; never reaches beyond what is accessible. With a key that is bound to a user it only takes away from the agent's list.",
  })

/** What a request may do to the agent's list: who runs the tenant made it, and a user cannot undo it. */
export function skillFilterOf(
  { userId }: ApiKey,
  skillFilter: readonly string[] | null | undefined,
): Pick<TurnSkillsRequest, 'skillFilter' | 'skillFilterNarrows'> {
  return { skillFilter, skillFilterNarrows: userId !== undefined }
}

const accessFields = {
  accessible: z.boolean(),
  reason: z.enum(SKILL_ACCESS_REASONS),
  canManage: z.boolean(),
  pinnedVersion: z.int().optional(),
}
const explainedSchema = z
  .strictObject({
    slug: z.string(),
    ...accessFields,
    source: usableSkillFields.source.optional(),
  })
  .openapi('SkillAccess')

const listSkills = createRoute({
  method: 'get',
  path: '/agents/{agent}/skills',
  operationId: 'listAgentSkills',
  tags: ['skills'],
  summary: 'The skills that an agent and a user may use, by slug',
  request: { params: agentParams, query: ownerQuery },
  responses: {
    200: jsonAnswer(
      'The skills.',
      z
        .strictObject({
          items: z.array(z.strictObject(usableSkillFields)),
          version: z.int().openapi({ description: 'Grows with every change.' }),
        })
        .openapi('AgentSkills'),
    ),
    ...problemResponses,
  },
})

const explainAll = createRoute({
  method: 'get',
  path: '/agents/{agent}/access/effective',
  operationId: 'explainAgentSkills',
  tags: ['skills'],
  summary: 'Every skill that there is, and why the agent and the user may use it or not',
  request: { params: agentParams, query: ownerQuery },
  responses: {
    200: jsonAnswer(
      'The answers by slug.',
      z.strictObject({ items: z.array(explainedSchema) }).openapi('SkillAccesses'),
    ),
    ...problemResponses,
  },
})

const explainOne = createRoute({
  method: 'get',
  path: '/skills/{skill}/access/effective',
  operationId: 'explainSkill',
  tags: ['skills'],
  summary: 'Why an agent and a user may use a skill or not',
  request: {
    params: skillParams,
    query: z.strictObject({ agent: agentReferenceSchema, userId: userIdSchema.optional() }),
  },
  responses: { 200: jsonAnswer('The answer.', explainedSchema), ...problemResponses },
})

const loadSkill = createRoute({
  method: 'get',
  path: '/agents/{agent}/skills/{skill}',
  operationId: 'getAgentSkill',
  tags: ['skills'],
  summary: 'Read the instructions of a skill that the agent and the user may use',
  request: { params: agentSkillParams, query: ownerQuery },
  responses: {
    200: jsonAnswer(
      'The skill with its text.',
      z
        .strictObject({
          ...usableSkillFields,
          text: z
            .string()
            .openapi({ description: 'Below its frontmatter, with {baseDir} filled in.' }),
        })
        .openapi('AgentSkill'),
    ),
    ...problemResponses,
  },
})

const readFile = createRoute({
  method: 'get',
  path: FILE_PATH,
  operationId: 'getAgentSkillFile',
  tags: ['skills'],
  summary: 'Read a file of a skill that the agent and the user may use',
  request: { params: fileParams, query: ownerQuery },
  responses: { 200: bytesAnswer('The file.', 'application/octet-stream'), ...problemResponses },
})

const searchSkills = createRoute({
  method: 'post',
  path: '/agents/{agent}/skills/search',
  operationId: 'searchAgentSkills',
  tags: ['skills'],
  summary: 'Search the skills that the agent and the user may use, by words and meaning',
  request: {
    params: agentParams,
    body: jsonBody(
      z
        .strictObject({
          query: textSchema(10_000).refine((text) => text.trim() !== '', 'May not be empty'),
          userId: userIdSchema.optional(),
          limit: z.int().min(1).max(100).default(5),
          skillFilter: skillFilterSchema,
        })
        .openapi('SkillSearch'),
    ),
  },
  responses: {
    200: jsonAnswer(
      'The skills, best first. Call use_skill with the slug of the one that fits, then read it at its location.',
      z
        .strictObject({
          items: z.array(z.strictObject({ ...usableSkillFields, score: z.number() })),
          mode: z.enum(['bm25', 'hybrid']),
          warnings: z.array(z.string()),
        })
        .openapi('SkillSearchResult'),
    ),
    ...problemResponses,
  },
})

/** What agents can do: /agents/{agent}/skills, its search and files, and who may use what. */
export function agentSkillRoutes(runtime: Runtime) {
  const { skills } = runtime

  async function requestOf(
    key: ApiKey,
    reference: string,
    userId: string | undefined,
    skillFilter?: readonly string[] | null,
  ) {
    const user = userOrShared(key, userId)
    const agent = await requireAgent(runtime, key, reference)
    const filter = skillFilterOf(key, skillFilter)
    return skillRequestOf({ tenantId: key.tenantId, agent, userId: user, ...filter })
  }

  return createRoutes()
    .openapi(listSkills, async (context) => {
      const { agent } = context.req.valid('param')
      const { userId } = context.req.valid('query')
      const set = await skills.accessible(await requestOf(context.get('apiKey'), agent, userId))
      return context.json({ items: set.skills.map(toUsableSkill), version: set.version }, 200)
    })
    .openapi(explainAll, async (context) => {
      const key = context.get('apiKey')
      requireEveryUser(key, 'see which skills there are for others')
      const { agent } = context.req.valid('param')
      const { userId } = context.req.valid('query')
      const all = await skills.explainAll(await requestOf(key, agent, userId))
      return context.json({ items: all.map(toExplained) }, 200)
    })
    .openapi(explainOne, async (context) => {
      const key = context.get('apiKey')
      requireEveryUser(key, 'see why others may use a skill or not')
      const { agent, userId } = context.req.valid('query')
      const request = await requestOf(key, agent, userId)
      const explained = await skills.explain(request, context.req.valid('param').skill)
      return context.json(toExplained(explained), 200)
    })
    .openapi(loadSkill, async (context) => {
      const { agent, skill: slug } = context.req.valid('param')
      const { userId } = context.req.valid('query')
      const request = await requestOf(context.get('apiKey'), agent, userId)
      const { skill, text } = await skills.load(request, slug)
      return context.json({ ...toUsableSkill(skill), text }, 200)
    })
    .openapi(readFile, async (context) => {
      const { agent, skill: slug, path } = context.req.valid('param')
      const { userId } = context.req.valid('query')
      const request = await requestOf(context.get('apiKey'), agent, userId)
      const content = await skills.readFile(request, slug, path)
      return context.body(Uint8Array.from(content), 200, {
        'Content-Type': 'application/octet-stream',
      })
    })
    .openapi(searchSkills, async (context) => {
      const { userId, query, limit, skillFilter } = context.req.valid('json')
      const { agent } = context.req.valid('param')
      const request = await requestOf(context.get('apiKey'), agent, userId, skillFilter)
      const found = await skills.search(request, query, {
        limit,
        signal: clientSignal(context),
      })
      const items = found.hits.map(({ skill, score }) => ({ ...toUsableSkill(skill), score }))
      return context.json({ items, mode: found.mode, warnings: [...found.warnings] }, 200)
    })
}

function toExplained(explained: ExplainedSkill) {
  const { slug, accessible, reason, canManage, pinnedVersion, skill } = explained
  return { slug, accessible, reason, canManage, pinnedVersion, source: skill?.source }
}
