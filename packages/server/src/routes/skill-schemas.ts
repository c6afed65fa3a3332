import { z } from '@hono/zod-openapi'
import {
  SKILL_SOURCES,
  SKILL_WARNING_CODES,
  type CandidateSkill,
  type SkillWarning,
} from '@loam/skills'
import {
  SKILL_STATUSES,
  SKILL_VISIBILITIES,
  type SkillAgentGrant,
  type SkillUserGrant,
  type SkillVersion,
  type StoredSkill,
} from '@loam/storage'
import { answeredInstantSchema, identifierSchema, jsonObjectSchema } from '../fields.js'

/** A skill, by slug or by id. */
export const skillReferenceSchema = identifierSchema(256).openapi({
  description: "The skill's slug or id.",
  example: 'pdf',
})

/** Path parameters of what belongs to a stored skill. */
export const skillParams = z.strictObject({ skill: skillReferenceSchema })

const MAX_VERSION = 999_999_999

/** A version of a skill in a query. */
export const versionSchema = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, 'Must be the number of a version')
  .transform(Number)
  .openapi({
    type: 'integer',
    minimum: 1,
    maximum: MAX_VERSION,
    description: 'Default: the version that is served.',
  })

/** A version of a skill in a body. */
export const versionNumberSchema = z.int().min(1).max(MAX_VERSION)

/** The path of a file within a skill. */
export const skillPathSchema = identifierSchema(4_096).openapi({
  description: 'Its slashes need no encoding.',
  example: 'SKILL.md',
})

export const warningSchema = z
  .strictObject({
    code: z.enum(SKILL_WARNING_CODES),
    message: z.string(),
    line: z.int().optional(),
  })
  .openapi('SkillWarning')

export const storedSkillFields = {
  id: z.uuid(),
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  visibility: z.enum(SKILL_VISIBILITIES),
  status: z.enum(SKILL_STATUSES),
  ownerUserId: z.string().openapi({ description: 'Empty when no user owns it.' }),
  ownerAgentId: z.uuid().optional(),
  version: z.int().openapi({ description: 'The version that is served.' }),
  contentHash: z.string(),
  fileCount: z.int(),
  sizeBytes: z.int(),
  frontmatter: jsonObjectSchema,
  warnings: z.array(warningSchema),
  createdAt: answeredInstantSchema,
  updatedAt: answeredInstantSchema,
  deletedAt: answeredInstantSchema.optional(),
}
export const storedSkillSchema = z.strictObject(storedSkillFields).openapi('Skill')

export const versionAnswerSchema = z
  .strictObject({
    version: z.int(),
    name: z.string(),
    description: z.string(),
    contentHash: z.string(),
    fileCount: z.int(),
    sizeBytes: z.int(),
    warnings: z.array(warningSchema),
    createdBy: z.string(),
    createdAt: answeredInstantSchema,
  })
  .openapi('SkillVersion')

export const agentGrantSchema = z
  .strictObject({
    agentId: z.uuid(),
    pinnedVersion: z.int().optional(),
    canManage: z.boolean(),
    grantedBy: z.string(),
    grantedAt: answeredInstantSchema,
  })
  .openapi('SkillAgentGrant')

export const userGrantSchema = z
  .strictObject({
    userId: z.string(),
    canManage: z.boolean(),
    grantedBy: z.string(),
    grantedAt: answeredInstantSchema,
  })
  .openapi('SkillUserGrant')

/** A skill as an agent and a user have it. */
export const usableSkillFields = {
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  source: z.enum(SKILL_SOURCES),
  version: z.int().optional(),
  location: z.string().openapi({
    description:
      'Where its SKILL.md can be read: a path, or skill://<slug>/SKILL.md, which GET …/skills/{slug} reads.',
  }),
  warnings: z.array(warningSchema),
}

export function toUsableSkill({
  slug,
  name,
  description,
  source,
  version,
  location,
  warnings,
}: CandidateSkill) {
  return { slug, name, description, source, version, location, warnings: warnings.map(toWarning) }
}

export function toStoredSkill(skill: StoredSkill): z.infer<typeof storedSkillSchema> {
  return {
    ...skill,
    frontmatter: { ...skill.frontmatter },
    warnings: (skill.warnings as unknown as readonly SkillWarning[]).map(toWarning),
    createdAt: skill.createdAt.toISOString(),
    updatedAt: skill.updatedAt.toISOString(),
    deletedAt: skill.deletedAt?.toISOString(),
  }
}

export function toVersion(version: SkillVersion): z.infer<typeof versionAnswerSchema> {
  const { frontmatter: _frontmatter, warnings, createdAt, ...rest } = version
  return {
    ...rest,
    warnings: (warnings as unknown as readonly SkillWarning[]).map(toWarning),
    createdAt: createdAt.toISOString(),
  }
}

export function toAgentGrant({ skillId: _skillId, grantedAt, ...grant }: SkillAgentGrant) {
  return { ...grant, grantedAt: grantedAt.toISOString() }
}

export function toUserGrant({ skillId: _skillId, grantedAt, ...grant }: SkillUserGrant) {
  return { ...grant, grantedAt: grantedAt.toISOString() }
}

export function toWarning({ code, message, line }: SkillWarning): z.infer<typeof warningSchema> {
  return { code, message, ...(line !== undefined && { line }) }
}
