import { ConflictError } from '@loam/core'
import type { Page, PageRequest } from './page.js'

/** Who may use a stored skill: its owner, whoever has a grant, or the whole tenant (seed 12). */
export const SKILL_VISIBILITIES = ['private', 'internal', 'public'] as const
/** See `SKILL_VISIBILITIES`. */
export type SkillVisibility = (typeof SKILL_VISIBILITIES)[number]

/** `archived` keeps a skill, and offers it to nobody. */
export const SKILL_STATUSES = ['active', 'archived'] as const
/** See `SKILL_STATUSES`. */
export type SkillStatus = (typeof SKILL_STATUSES)[number]

/** What is known of one version of a skill without its files. */
export interface SkillVersion {
  /** From 1; never given twice for a skill. */
  readonly version: number
  readonly name: string
  readonly description: string
  readonly frontmatter: Readonly<Record<string, unknown>>
  /** What its reader had to put up with. */
  readonly warnings: readonly Readonly<Record<string, unknown>>[]
  /** Of all its files; equal files have an equal hash. */
  readonly contentHash: string
  readonly fileCount: number
  readonly sizeBytes: number
  /** Who made it, such as a user or a key. */
  readonly createdBy: string
  readonly createdAt: Date
}

/** A skill of a tenant, with the version that is served. */
export interface StoredSkill extends Omit<SkillVersion, 'createdAt' | 'createdBy'> {
  readonly id: string
  /** Unique among the skills of the tenant that are not deleted. */
  readonly slug: string
  readonly visibility: SkillVisibility
  readonly status: SkillStatus
  /** `''` when no user owns it. */
  readonly ownerUserId: string
  /** The agent that made it. */
  readonly ownerAgentId: string | undefined
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly deletedAt: Date | undefined
}

/** A skill with what decides whether an agent and the user of the access may use it. */
export interface GrantedSkill extends StoredSkill {
  /** The agent's grant. Where it pins a version, the skill is shown with that version. */
  readonly agentGrant:
    | { readonly pinnedVersion: number | undefined; readonly canManage: boolean }
    | undefined
  /** The user's grant. */
  readonly userGrant: { readonly canManage: boolean } | undefined
}

/** A file of a skill. */
export interface StoredSkillFile {
  /** Relative to the skill, with slashes. */
  readonly path: string
  readonly content: Uint8Array
}

/** The error for a slug that is not free. It says the same of whatever holds the slug, since that may be nobody's business. */
export function skillSlugTaken(slug: string): ConflictError {
  return new ConflictError({
    message: `The slug "${slug}" is taken. Choose another name for the folder of the skill, or give another slug.`,
    details: { slug },
  })
}

/** What is given to make a version. */
export interface NewSkillVersion extends Omit<
  SkillVersion,
  'version' | 'createdAt' | 'fileCount' | 'sizeBytes'
> {
  readonly files: readonly StoredSkillFile[]
}

/** What is given to make a skill, or to find it by its slug. */
export interface NewSkill extends Pick<
  StoredSkill,
  'id' | 'slug' | 'visibility' | 'ownerUserId' | 'ownerAgentId'
> {}

/** What may be changed of a skill without a new version; undefined leaves it. */
export interface SkillPatch {
  readonly visibility?: SkillVisibility | undefined
  readonly status?: SkillStatus | undefined
  /** An earlier or later version to serve. */
  readonly version?: number | undefined
}

/** How many rows were erased with a skill. */
export interface SkillErasure {
  readonly skills: number
  readonly versions: number
  readonly files: number
  readonly grants: number
}

/**
 * The skills of a tenant. A private one of another user is not seen, whatever is asked. Each change raises the revision,
 * together with what it changes.
 */
export interface SkillStore {
  /** How often the tenant's skills, grants and switches were changed. */
  revision(): Promise<number>
  /** All that are not deleted, with the grants of the agent and of the access's user, by slug. */
  candidates(agentId: string): Promise<readonly GrantedSkill[]>
  /** By id, or by slug if it is not deleted. */
  find(idOrSlug: string): Promise<StoredSkill | undefined>
  /** Like `find`, and holds the skill until the end of the transaction. */
  lock(idOrSlug: string): Promise<StoredSkill | undefined>
  /** Those that are not deleted, by slug: all, or those that a user owns or was granted to manage. */
  list(page: PageRequest & { readonly managedBy?: string | undefined }): Promise<Page<StoredSkill>>
  /**
   * Makes the next version of the skill, and the skill itself if its slug is free. Two that are made at once get two numbers.
   * Returns undefined when the newest version has the same content hash and is the one that is served.
   *
   * @throws ConflictError when the slug belongs to a skill that the access does not see.
   */
  putVersion(skill: NewSkill, version: NewSkillVersion): Promise<StoredSkill | undefined>
  /** Newest first. */
  versions(skillId: string): Promise<readonly SkillVersion[]>
  /** The paths and sizes of a version's files, by path. */
  listFiles(
    skillId: string,
    version: number,
  ): Promise<readonly { readonly path: string; readonly sizeBytes: number }[]>
  /** Files of a version, by path: all, or those asked for. */
  readFiles(
    skillId: string,
    version: number,
    paths?: readonly string[],
  ): Promise<readonly StoredSkillFile[]>
  /** @throws NotFoundError when there is no such version. */
  update(skillId: string, patch: SkillPatch): Promise<StoredSkill | undefined>
  /** Marks a skill as deleted, which frees its slug. Returns false when there is none that is not. */
  delete(skillId: string): Promise<boolean>
  /** @throws ConflictError when the slug is taken by now. */
  restore(skillId: string): Promise<StoredSkill | undefined>
  /** Erases a skill with its versions, files and grants, also a deleted one. */
  erase(skillId: string): Promise<SkillErasure>
  /** Slugs that the tenant has switched off, of any source. */
  switchedOff(): Promise<readonly string[]>
  /** Switches a slug on or off for the tenant. */
  setSwitch(slug: string, enabled: boolean): Promise<void>
}
