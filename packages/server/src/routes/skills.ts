import { createRoute, z } from '@hono/zod-openapi'
import { NotFoundError } from '@loam/core'
import type { Runtime } from '@loam/runtime'
import { accessOf, writeSkillArchive, SKILL_SOURCES } from '@loam/skills'
import { SKILL_STATUSES, SKILL_VISIBILITIES } from '@loam/storage'
import { requireEveryUser } from '../acting-user.js'
import { createRoutes } from '../api-environment.js'
import {
  answeredInstantSchema,
  jsonObjectSchema,
  noQuery,
  pageFields,
  pageSchema,
} from '../fields.js'
import { bytesAnswer, jsonAnswer, jsonBody, patchBody } from '../media.js'
import { problemResponses } from '../problem.js'
import { principalOf } from '../skill-principal.js'
import {
  skillParams,
  storedSkillSchema,
  toStoredSkill,
  toVersion,
  toWarning,
  versionAnswerSchema,
  versionSchema,
  warningSchema,
} from './skill-schemas.js'

const FILE_PATH = '/skills/{skill}/files/:path{.+}'
const fileParams = skillParams.extend({
  path: z.string().openapi({ description: 'Its slashes need no encoding.', example: 'SKILL.md' }),
})
const versionQuery = z.strictObject({ version: versionSchema.optional() })

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
  summary: 'Change who may use a skill, whether it is offered, or which version is served',
  request: {
    params: skillParams,
    query: noQuery,
    body: patchBody(
      z
        .strictObject({
          visibility: z.enum(SKILL_VISIBILITIES).optional(),
          status: z.enum(SKILL_STATUSES).optional(),
          version: z.int().min(1).optional(),
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

const listVersions = createRoute({
  method: 'get',
  path: '/skills/{skill}/versions',
  operationId: 'listSkillVersions',
  tags: ['skills'],
  summary: 'List the versions of a skill, newest first',
  request: { params: skillParams, query: noQuery },
  responses: {
    200: jsonAnswer(
      'The versions.',
      z.strictObject({ items: z.array(versionAnswerSchema) }).openapi('SkillVersions'),
    ),
    ...problemResponses,
  },
})

const listFiles = createRoute({
  method: 'get',
  path: '/skills/{skill}/files',
  operationId: 'listSkillFiles',
  tags: ['skills'],
  summary: 'List the files of a skill by path',
  request: { params: skillParams, query: versionQuery },
  responses: {
    200: jsonAnswer(
      'The files.',
      z
        .strictObject({ items: z.array(z.strictObject({ path: z.string(), sizeBytes: z.int() })) })
        .openapi('SkillFiles'),
    ),
    ...problemResponses,
  },
})

const getFile = createRoute({
  method: 'get',
  path: FILE_PATH,
  operationId: 'getSkillFile',
  tags: ['skills'],
  summary: 'Read a file of a skill',
  request: { params: fileParams, query: versionQuery },
  responses: { 200: bytesAnswer('The file.', 'application/octet-stream'), ...problemResponses },
})

const downloadSkill = createRoute({
  method: 'get',
  path: '/skills/{skill}/download',
  operationId: 'downloadSkill',
  tags: ['skills'],
  summary: 'Download a skill as a ZIP',
  request: { params: skillParams, query: versionQuery },
  responses: { 200: bytesAnswer('The archive.', 'application/zip'), ...problemResponses },
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

const listAudit = createRoute({
  method: 'get',
  path: '/skill-audit',
  operationId: 'listSkillAudit',
  tags: ['skills'],
  summary: 'What was done with skills and by whom, newest first',
  request: { query: z.strictObject({ ...pageFields, slug: z.string().max(256).optional() }) },
  responses: {
    200: jsonAnswer(
      'A page of entries.',
      pageSchema(
        z
          .strictObject({
            id: z.uuid(),
            slug: z.string(),
            skillId: z.uuid().optional(),
            action: z.string(),
            actor: z.string(),
            details: jsonObjectSchema,
            at: answeredInstantSchema,
          })
          .openapi('SkillAuditEntry'),
      ).openapi('SkillAuditPage'),
    ),
    ...problemResponses,
  },
})

const listWarnings = createRoute({
  method: 'get',
  path: '/skill-warnings',
  operationId: 'listSkillWarnings',
  tags: ['skills'],
  summary: 'What is wrong with the skills of folders, also with those that could not be loaded',
  request: { query: noQuery },
  responses: {
    200: jsonAnswer(
      'The warnings.',
      z
        .strictObject({
          items: z.array(
            z.strictObject({
              source: z.enum(SKILL_SOURCES),
              slug: z.string(),
              warning: warningSchema,
            }),
          ),
        })
        .openapi('SkillWarnings'),
    ),
    ...problemResponses,
  },
})

/** Stored skills: /skills and what lies below, /skill-audit, /skill-warnings. */
export function skillRoutes({ skills, storage }: Runtime) {
  return createRoutes()
    .openapi(listSkills, async (context) => {
      const principal = principalOf(context.get('apiKey'))
      const { limit, cursor } = context.req.valid('query')
      const page = await storage.transaction(
        accessOf(principal),
        (stores) => stores.skills.list({ limit, cursor }),
        { readOnly: true },
      )
      const items = await skills.managedOf(principal, page.items)
      return context.json({ ...page, items: items.map(toStoredSkill) }, 200)
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
    .openapi(listVersions, async (context) => {
      const principal = principalOf(context.get('apiKey'))
      const versions = await skills.versions(principal, context.req.valid('param').skill)
      return context.json({ items: versions.map(toVersion) }, 200)
    })
    .openapi(listFiles, async (context) => {
      const principal = principalOf(context.get('apiKey'))
      const { version } = context.req.valid('query')
      const files = await skills.files(principal, context.req.valid('param').skill, version)
      const items = files.map(({ path, content }) => ({ path, sizeBytes: content.length }))
      return context.json({ items }, 200)
    })
    .openapi(getFile, async (context) => {
      const principal = principalOf(context.get('apiKey'))
      const { skill, path } = context.req.valid('param')
      const files = await skills.files(principal, skill, context.req.valid('query').version)
      const file = files.find((candidate) => candidate.path === path)
      if (file === undefined) throw noSuchFile(path)
      return context.body(Uint8Array.from(file.content), 200, {
        'Content-Type': 'application/octet-stream',
      })
    })
    .openapi(downloadSkill, async (context) => {
      const principal = principalOf(context.get('apiKey'))
      const { skill } = context.req.valid('param')
      const { slug, version: served } = await skills.find(principal, skill)
      const version = context.req.valid('query').version ?? served
      const files = await skills.files(principal, skill, version)
      if (files.length === 0) {
        throw new NotFoundError({ message: `The skill "${slug}" has no version ${version}.` })
      }
      const archive = await writeSkillArchive(slug, files)
      return context.body(Uint8Array.from(archive), 200, {
        'Content-Type': 'application/zip',
        'Content-Disposition': `attachment; filename="${slug}-${version}.zip"`,
      })
    })
    .openapi(switchSkill, async (context) => {
      const principal = principalOf(context.get('apiKey'))
      const { enabled } = context.req.valid('json')
      await skills.setEnabled(principal, context.req.valid('param').skill, enabled)
      return context.json({ enabled }, 200)
    })
    .openapi(listAudit, async (context) => {
      const key = context.get('apiKey')
      requireEveryUser(key, 'read what was done with skills')
      const request = context.req.valid('query')
      const page = await storage.transaction(
        accessOf(principalOf(key)),
        (stores) => stores.skillAudit.list(request),
        { readOnly: true },
      )
      const items = page.items.map(({ at, details, ...entry }) => ({
        ...entry,
        details: { ...details },
        at: at.toISOString(),
      }))
      return context.json({ ...page, items }, 200)
    })
    .openapi(listWarnings, async (context) => {
      requireEveryUser(context.get('apiKey'), 'read the warnings of all skills')
      const warnings = await skills.catalog.warnings()
      const items = warnings.map(({ source, slug, ...warning }) => ({
        source,
        slug,
        warning: toWarning(warning),
      }))
      return context.json({ items }, 200)
    })
}

function noSuchFile(path: string): NotFoundError {
  return new NotFoundError({ message: `The skill has no file ${JSON.stringify(path)}.` })
}
