import { z } from '@hono/zod-openapi'
import { InvalidInputError, LimitError } from '@loam/core'
import type { Runtime } from '@loam/runtime'
import { readSkillArchive, type InstalledSkill } from '@loam/skills'
import { SKILL_VISIBILITIES, type ApiKey } from '@loam/storage'
import { HTTPException } from 'hono/http-exception'
import { requireEveryUser } from '../acting-user.js'
import { createRoutes } from '../api-environment.js'
import { agentReferenceSchema, textSchema } from '../fields.js'
import { requireAgent } from '../find-by-name.js'
import { toInvalidInput } from '../input-issues.js'
import { jsonAnswer } from '../media.js'
import { problemResponses } from '../problem.js'
import { readUpload } from '../read-upload.js'
import { principalOf } from '../skill-principal.js'
import { storedSkillSchema, toStoredSkill, toWarning, warningSchema } from './skill-schemas.js'

const MEBIBYTE = 1024 * 1024
const MIN_TOTAL_MEBIBYTES = 50
const MAX_MANAGERS = 100

const fieldsSchema = z.strictObject({
  slug: textSchema(64)
    .optional()
    .openapi({ description: "Takes the place of the folder's name; for a single skill." }),
  visibility: z.enum(SKILL_VISIBILITIES).optional().openapi({
    description:
      'Of new skills. Default internal; with a key that is bound to a user private, and nothing else.',
  }),
  managerAgents: z
    .string()
    .max(20_000)
    .optional()
    .openapi({
      description: `A JSON array of up to ${MAX_MANAGERS} agents, by key or id, that may use and manage the skills.`,
    }),
})
const managersSchema = z.array(agentReferenceSchema).max(MAX_MANAGERS)

const uploadedSchema = z
  .strictObject({
    items: z.array(
      z.strictObject({
        outcome: z.enum(['created', 'updated', 'unchanged']),
        skill: storedSkillSchema,
        warnings: z.array(warningSchema),
        findings: z
          .array(
            z.strictObject({
              path: z.string(),
              line: z.int(),
              rule: z.string(),
              excerpt: z.string(),
            }),
          )
          .openapi({
            description: 'Lines that someone should look at. Advice: nothing is refused for them.',
          }),
      }),
    ),
    ignored: z.array(z.string()).openapi({ description: 'Files that belong to no skill.' }),
  })
  .openapi('UploadedSkills')

/** Uploads: POST /skills/upload. It reads its own body, so it stands before what reads bodies as JSON. */
export function skillUploadRoutes(runtime: Runtime) {
  const routes = createRoutes()
  routes.openAPIRegistry.registerPath({
    method: 'post',
    path: '/skills/upload',
    operationId: 'uploadSkills',
    tags: ['skills'],
    summary: 'Store the skills in a ZIP, as new ones or as new versions',
    request: {
      body: {
        required: true,
        content: {
          'multipart/form-data': {
            schema: fieldsSchema
              .extend({ file: z.string().openapi({ type: 'string', format: 'binary' }) })
              .openapi('SkillUpload'),
          },
          'application/zip': { schema: z.string().openapi({ type: 'string', format: 'binary' }) },
        },
      },
    },
    responses: {
      200: jsonAnswer('Nothing was new.', uploadedSchema),
      201: jsonAnswer('What was stored.', uploadedSchema),
      ...problemResponses,
    },
  })
  routes.post('/skills/upload', async (context) => {
    const key = context.get('apiKey')
    const maxMebibytes = await maxUploadOf(runtime, key)
    const upload = await readUpload(context, maxMebibytes * MEBIBYTE)
    const fields = fieldsSchema.safeParse(upload.fields)
    if (!fields.success) throw toInvalidInput(fields.error)
    const { slug, visibility, managerAgents } = fields.data
    const managerAgentIds = await findManagers(runtime, key, managerAgents)
    const archive = await readSkillArchive(upload.bytes, {
      maxArchiveBytes: maxMebibytes * MEBIBYTE,
      maxTotalBytes: Math.max(MIN_TOTAL_MEBIBYTES, maxMebibytes) * MEBIBYTE,
    }).catch(tooLargeWhere)
    const principal = principalOf(key)
    const installed = await runtime.skills.install(
      { skills: archive.skills, slug, visibility, managerAgentIds },
      principal,
    )
    const isNew = installed.some(({ outcome }) => outcome !== 'unchanged')
    const items = installed.map(toItem)
    return context.json({ items, ignored: [...archive.ignored] }, isNew ? 201 : 200)
  })
  return routes
}

/** What the tenant has set, else what the installation was started with (spec 03, 4.10). */
async function maxUploadOf({ storage, config }: Runtime, { tenantId }: ApiKey): Promise<number> {
  const set = await storage.transaction(
    { tenantId, userId: '' },
    ({ systemConfigs }) => systemConfigs.find('skills.max_upload_size_mb'),
    { readOnly: true },
  )
  return set === undefined ? config.skills.maxUploadMb : Number(set.value)
}

async function findManagers(
  runtime: Runtime,
  key: ApiKey,
  given: string | undefined,
): Promise<readonly string[]> {
  if (given === undefined || given.trim() === '') return []
  requireEveryUser(key, 'give grants')
  const parsed = managersSchema.safeParse(parseJson(given))
  if (!parsed.success) {
    const message = `Must be a JSON array of up to ${MAX_MANAGERS} agents`
    throw new InvalidInputError({
      message: `managerAgents: ${message}.`,
      issues: [{ path: 'managerAgents', message }],
    })
  }
  const agents = await Promise.all(parsed.data.map((agent) => requireAgent(runtime, key, agent)))
  return agents.map(({ id }) => id)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What is too large is so for good, and no matter of waiting. */
function tooLargeWhere(error: unknown): never {
  if (!LimitError.isInstance(error)) throw error
  throw new HTTPException(413, { message: error.message, cause: error })
}

function toItem({ outcome, skill, warnings, findings }: InstalledSkill) {
  return {
    outcome,
    skill: toStoredSkill(skill),
    warnings: warnings.map(toWarning),
    findings: findings.map(({ path, line, rule, excerpt }) => ({ path, line, rule, excerpt })),
  }
}
