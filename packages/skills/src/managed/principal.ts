import { ForbiddenError, NotFoundError } from '@loam/core'
import type { Access, StoredSkill, Stores } from '@loam/storage'

/** Who manages skills. */
export interface SkillPrincipal {
  readonly tenantId: string
  /** Undefined: whoever runs the tenant, who may do everything. */
  readonly userId: string | undefined
  /** How they are named on record, such as `user:ana` or `key:…`. */
  readonly actor: string
}

/**
 * What a principal is to a skill, from the least to the most.
 *
 * - `reader`: may know of it, since it is public or was granted
 * - `manager`: changes what it says, by a grant
 * - `owner`: also hides it, archives it and takes it away
 * - `operator`: runs the tenant, and alone makes a skill of others' business
 */
const ROLES = ['reader', 'manager', 'owner', 'operator'] as const
type SkillRole = (typeof ROLES)[number]

/** What is asked of a principal and of the skill. */
interface Need {
  /** Default `manager`. */
  readonly role?: 'manager' | 'owner' | undefined
  /** Whether the skill may be a deleted one. Default false. */
  readonly deleted?: boolean | undefined
}

/** What a principal may see. */
export function accessOf({ tenantId, userId }: SkillPrincipal): Access {
  return userId === undefined ? { tenantId, everyUser: true } : { tenantId, userId }
}

/** @throws ForbiddenError for a single user. */
export function requireOperator({ userId }: SkillPrincipal, what: string): void {
  if (userId === undefined) return
  throw new ForbiddenError({
    message: `A key that is bound to a user cannot ${what}. Use a key for every user.`,
  })
}

/** Whether a principal is so much to a skill. */
export async function hasRole(
  stores: Stores,
  principal: SkillPrincipal,
  skill: StoredSkill,
  role: SkillRole,
): Promise<boolean> {
  return reaches(await roleOf(stores, principal, skill), role)
}

/**
 * Holds a skill that the principal may change.
 *
 * @throws NotFoundError when there is none that they may know of, as if there were none. @throws ForbiddenError when they may
 * not change it.
 */
export async function lockManaged(
  stores: Stores,
  principal: SkillPrincipal,
  idOrSlug: string,
  need: Need = {},
): Promise<StoredSkill> {
  return await checkManaged(stores, principal, idOrSlug, await stores.skills.lock(idOrSlug), need)
}

/** As `lockManaged`, without holding it. A deleted skill is found, too. */
export async function findManaged(
  stores: Stores,
  principal: SkillPrincipal,
  idOrSlug: string,
): Promise<StoredSkill> {
  const skill = await stores.skills.find(idOrSlug)
  return await checkManaged(stores, principal, idOrSlug, skill, { deleted: true })
}

async function checkManaged(
  stores: Stores,
  principal: SkillPrincipal,
  idOrSlug: string,
  skill: StoredSkill | undefined,
  { role = 'manager', deleted = false }: Need,
): Promise<StoredSkill> {
  if (skill === undefined || (skill.deletedAt !== undefined && !deleted))
    throw noSuchSkill(idOrSlug)
  const own = await roleOf(stores, principal, skill)
  if (own === undefined) throw noSuchSkill(idOrSlug)
  if (reaches(own, role)) return skill
  throw new ForbiddenError({
    message:
      role === 'owner'
        ? `Of the skill "${skill.slug}" you may change what it says at most. All else may its owner, or whoever runs the tenant.`
        : `You may not manage the skill "${skill.slug}". Its owner, or a grant to manage it, may.`,
  })
}

/** Undefined: they may not even know that there is such a skill. */
async function roleOf(
  stores: Stores,
  { userId }: SkillPrincipal,
  skill: StoredSkill,
): Promise<SkillRole | undefined> {
  if (userId === undefined) return 'operator'
  if (userId !== '' && skill.ownerUserId === userId) return 'owner'
  if (skill.deletedAt !== undefined) return undefined
  const { users } = await stores.skillGrants.list(skill.id)
  const grant = users.find((user) => user.userId === userId)
  if (grant?.canManage === true) return 'manager'
  if (skill.visibility === 'private') return undefined
  return grant !== undefined || skill.visibility === 'public' ? 'reader' : undefined
}

function reaches(role: SkillRole | undefined, least: SkillRole): boolean {
  return role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(least)
}

/** The error for a skill that is not there, or not for whoever asks. */
export function noSuchSkill(idOrSlug: string): NotFoundError {
  return new NotFoundError({ message: `There is no skill ${JSON.stringify(idOrSlug)}.` })
}
