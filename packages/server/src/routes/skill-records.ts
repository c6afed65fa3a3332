import { createRoute, z } from '@hono/zod-openapi'
import type { Runtime } from '@loam/runtime'
import { SKILL_SOURCES, accessOf } from '@loam/skills'
import { requireEveryUser } from '../acting-user.js'
import { createRoutes } from '../api-environment.js'
import {
  answeredInstantSchema,
  identifierSchema,
  jsonObjectSchema,
  noQuery,
  pageFields,
  pageSchema,
} from '../fields.js'
import { jsonAnswer } from '../media.js'
import { problemResponses } from '../problem.js'
import { principalOf } from '../skill-principal.js'
import { toWarning, warningSchema } from './skill-schemas.js'

const listAudit = createRoute({
  method: 'get',
  path: '/skill-audit',
  operationId: 'listSkillAudit',
  tags: ['skills'],
  summary: 'What was done with skills and by whom, newest first',
  request: { query: z.strictObject({ ...pageFields, slug: identifierSchema(256).optional() }) },
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

/** What was done with skills, and what is wrong with them: GET /skill-audit, GET /skill-warnings. */
export function skillRecordRoutes({ skills, storage }: Runtime) {
  return createRoutes()
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
