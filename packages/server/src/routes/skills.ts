import { createRoute, z } from '@hono/zod-openapi'
import type { Runtime } from '@loam/runtime'
import { SKILL_STATUSES, SKILL_VISIBILITIES } from '@loam/storage'
import { createRoutes } from '../api-environment.js'
import { noQuery, pageFields, pageSchema } from '../fields.js'
import { jsonAnswer, jsonBody, patchBody } from '../media.js'
import { problemResponses } from '../problem.js'
import { principalOf } from '../skill-principal.js'
import {
  skillParams,
  storedSkillSchema,
  toStoredSkill,
  versionNumberSchema,
} from './skill-schemas.js'

const listSkills = createRoute({
  method: 'get',
  path: '/skills',
  operationId: 'listSkills',
  tags: ['skills'],
  summary:
    'List stored skills by slug; a key that is bound to a user lists those that it may manage',
  request: { query: z.strictObject(pageFields) },
  responses: {
    200: jsonAnswer('A page of skills.', pageSchema(storedSkillSchema).openapi('SkillPage')),
    ...problemResponses,
  },
})

const getSkill = createRoute({
  method: 'get',
  path: '/skills/{skill}',
  operationId: 'getSkill',
  tags: ['skills'],
  summary: 'Read what is known of a stored skill',
  request: { params: skillParams, query: noQuery },
  responses: { 200: jsonAnswer('The skill.', storedSkillSchema), ...problemResponses },
})

const patchSkill = createRoute({
  method: 'patch',
  path: '/skills/{skill}',
  operationId: 'updateSkill',
  tags: ['skills'],
  summary:
    'Change who may use a skill, whether it is offered, or which version is served; one that becomes private loses its grants',
  request: {
    params: skillParams,
    query: noQuery,
    body: patchBody(
      z
        .strictObject({
          visibility: z.enum(SKILL_VISIBILITIES).optional(),
          status: z.enum(SKILL_STATUSES).optional(),
          version: versionNumberSchema.optional(),
        })
        .openapi('SkillPatch'),
    ),
  },
  responses: { 200: jsonAnswer('The skill.', storedSkillSchema), ...problemResponses },
})

const deleteSkill = createRoute({
  method: 'delete',
  path: '/skills/{skill}',
  operationId: 'deleteSkill',
  tags: ['skills'],
  summary: 'Take a skill away, to be restored by its id; or erase it for good',
  request: {
    params: skillParams,
    query: z.strictObject({
      erase: z.enum(['true', 'false']).optional().openapi({
        description:
          'Erases all versions, files and grants. Works on a deleted skill too, by its id.',
      }),
    }),
  },
  responses: {
    200: jsonAnswer(
      'What was deleted.',
      z
        .strictObject({
          deleted: z.boolean(),
          id: z.uuid().optional().openapi({ description: 'For restoring it.' }),
          erased: z
            .strictObject({ skills: z.int(), versions: z.int(), files: z.int(), grants: z.int() })
            .optional(),
        })
        .openapi('SkillDeleted'),
    ),
    ...problemResponses,
  },
})

const restoreSkill = createRoute({
  method: 'post',
  path: '/skills/{skill}/restore',
  operationId: 'restoreSkill',
  tags: ['skills'],
  summary: 'Bring a deleted skill back, by its id',
  request: { params: skillParams, query: noQuery },
  responses: { 200: jsonAnswer('The skill.', storedSkillSchema), ...problemResponses },
})

const switchSkill = createRoute({
  method: 'put',
  path: '/skills/{skill}/enabled',
  operationId: 'switchSkill',
  tags: ['skills'],
  summary: 'Switch a skill on or off for the tenant, also one of a folder',
  request: {
    params: skillParams,
    query: noQuery,
    body: jsonBody(z.strictObject({ enabled: z.boolean() }).openapi('SkillSwitch')),
  },
  responses: {
    200: jsonAnswer(
      'As it is now.',
      z.strictObject({ enabled: z.boolean() }).openapi('SkillSwitched'),
    ),
    ...problemResponses,
  },
})

/** Stored skills: GET /skills, GET, PATCH and DELETE /skills/{skill}, POST …/restore, PUT …/enabled. */
export function skillRoutes({ skills }: Runtime) {
  return createRoutes()
    .openapi(listSkills, async (context) => {
      const principal = principalOf(context.get('apiKey'))
      const page = await skills.list(principal, context.req.valid('query'))
      return context.json({ ...page, items: page.items.map(toStoredSkill) }, 200)
    })
    .openapi(getSkill, async (context) => {
      const principal = principalOf(context.get('apiKey'))
      const skill = await skills.find(principal, context.req.valid('param').skill)
      return context.json(toStoredSkill(skill), 200)
    })
    .openapi(patchSkill, async (context) => {
      const principal = principalOf(context.get('apiKey'))
      const { skill } = context.req.valid('param')
      const updated = await skills.update(principal, skill, context.req.valid('json'))
      return context.json(toStoredSkill(updated), 200)
    })
    .openapi(deleteSkill, async (context) => {
      const principal = principalOf(context.get('apiKey'))
      const { skill } = context.req.valid('param')
      if (context.req.valid('query').erase === 'true') {
        const erased = await skills.erase(principal, skill)
        return context.json({ deleted: erased.skills > 0, erased: { ...erased } }, 200)
      }
      const { id } = await skills.delete(principal, skill)
      return context.json({ deleted: true, id }, 200)
    })
    .openapi(restoreSkill, async (context) => {
      const principal = principalOf(context.get('apiKey'))
      const restored = await skills.restore(principal, context.req.valid('param').skill)
      return context.json(toStoredSkill(restored), 200)
    })
    .openapi(switchSkill, async (context) => {
      const principal = principalOf(context.get('apiKey'))
      const { enabled } = context.req.valid('json')
      await skills.setEnabled(principal, context.req.valid('param').skill, enabled)
      return context.json({ enabled }, 200)
    })
}
