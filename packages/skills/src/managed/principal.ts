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

/** Whether the principal runs the tenant, owns the skill, or was granted to manage it. */
export async function mayManage(
  stores: Stores,
  { userId }: SkillPrincipal,
  skill: StoredSkill,
): Promise<boolean> {
  if (userId === undefined || (userId !== '' && skill.ownerUserId === userId)) return true
  const { users } = await stores.skillGrants.list(skill.id)
  return users.some((grant) => grant.userId === userId && grant.canManage)
}

/**
 * Holds a skill that the principal may change.
 *
 * @throws NotFoundError when there is none that they may know of. @throws ForbiddenError when they may not change it.
 */
export async function lockManaged(
  stores: Stores,
  principal: SkillPrincipal,
  idOrSlug: string,
): Promise<StoredSkill> {
  return await checkManaged(stores, principal, idOrSlug, await stores.skills.lock(idOrSlug))
}

/** As `lockManaged`, without holding it. */
export async function findManaged(
  stores: Stores,
  principal: SkillPrincipal,
  idOrSlug: string,
): Promise<StoredSkill> {
  return await checkManaged(stores, principal, idOrSlug, await stores.skills.find(idOrSlug))
}

async function checkManaged(
  stores: Stores,
  principal: SkillPrincipal,
  idOrSlug: string,
  skill: StoredSkill | undefined,
): Promise<StoredSkill> {
  if (skill === undefined) throw noSuchSkill(idOrSlug)
  if (await mayManage(stores, principal, skill)) return skill
  throw new ForbiddenError({
    message: `You may not manage the skill "${skill.slug}". Its owner, or a grant to manage it, may.`,
  })
}

/** The error for a skill that is not there, or not for whoever asks. */
export function noSuchSkill(idOrSlug: string): NotFoundError {
  return new NotFoundError({ message: `There is no skill ${JSON.stringify(idOrSlug)}.` })
}
