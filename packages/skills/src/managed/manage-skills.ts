import { InvalidInputError, type GenerateId } from '@loam/core'
import type {
  SkillAction,
  SkillAgentGrant,
  SkillErasure,
  SkillPatch,
  SkillUserGrant,
  SkillVersion,
  Storage,
  StoredSkill,
  StoredSkillFile,
  Stores,
} from '@loam/storage'
import {
  accessOf,
  findManaged,
  lockManaged,
  mayManage,
  requireOperator,
  type SkillPrincipal,
} from './principal.js'

/** Managing the skills of a tenant. Everything is recorded, and everything names its skill by id or slug. */
export interface SkillManagement {
  find(principal: SkillPrincipal, idOrSlug: string): Promise<StoredSkill>
  /** Those of the skills that the principal may manage. */
  managedOf(
    principal: SkillPrincipal,
    skills: readonly StoredSkill[],
  ): Promise<readonly StoredSkill[]>
  versions(principal: SkillPrincipal, idOrSlug: string): Promise<readonly SkillVersion[]>
  /** The paths and sizes of a version's files; default: the one that is served. */
  listFiles(
    principal: SkillPrincipal,
    idOrSlug: string,
    version?: number,
  ): ReturnType<Stores['skills']['listFiles']>
  /** The files of a version with their contents: all, or those asked for. */
  files(
    principal: SkillPrincipal,
    idOrSlug: string,
    options?: {
      readonly version?: number | undefined
      readonly paths?: readonly string[] | undefined
    },
  ): Promise<readonly StoredSkillFile[]>
  /** Changes who may use a skill, whether it is offered, or which version is served. */
  update(principal: SkillPrincipal, idOrSlug: string, patch: SkillPatch): Promise<StoredSkill>
  /** Takes a skill away; `restore` brings it back. */
  delete(principal: SkillPrincipal, idOrSlug: string): Promise<StoredSkill>
  /** @param id since a deleted skill has no slug any more. */
  restore(principal: SkillPrincipal, id: string): Promise<StoredSkill>
  /** Deletes a skill for good, with everything that was made from it. */
  erase(
    principal: SkillPrincipal,
    idOrSlug: string,
  ): Promise<{ readonly slug: string; readonly erased: SkillErasure }>
  /** Switches a slug on or off for the tenant, whatever tier it comes from. @throws NotFoundError when no tier has it. */
  setEnabled(principal: SkillPrincipal, slug: string, enabled: boolean): Promise<void>
  grants(principal: SkillPrincipal, idOrSlug: string): ReturnType<Stores['skillGrants']['list']>
  /** A private skill becomes internal by its first grant. */
  grantAgent(
    principal: SkillPrincipal,
    idOrSlug: string,
    grant: Pick<SkillAgentGrant, 'agentId' | 'pinnedVersion' | 'canManage'>,
  ): Promise<SkillAgentGrant>
  /** A private skill becomes internal by its first grant. */
  grantUser(
    principal: SkillPrincipal,
    idOrSlug: string,
    grant: Pick<SkillUserGrant, 'userId' | 'canManage'>,
  ): Promise<SkillUserGrant>
  /** An internal skill becomes private when its last grant is taken back. Returns false when there was none. */
  revokeAgent(principal: SkillPrincipal, idOrSlug: string, agentId: string): Promise<boolean>
  /** As `revokeAgent`. */
  revokeUser(principal: SkillPrincipal, idOrSlug: string, userId: string): Promise<boolean>
}

/** What managing works with. */
export interface ManageOptions {
  readonly storage: Pick<Storage, 'transaction'>
  readonly generateId: GenerateId
}

/** Composes the management of skills over a store. */
export function manageSkills({ storage, generateId }: ManageOptions): SkillManagement {
  const within = <Result>(
    principal: SkillPrincipal,
    work: (stores: Stores) => Promise<Result>,
  ): Promise<Result> => storage.transaction(accessOf(principal), work)

  const record = (
    stores: Stores,
    { actor }: SkillPrincipal,
    { slug, id }: { readonly slug: string; readonly id: string | undefined },
    action: SkillAction,
    details: Readonly<Record<string, unknown>>,
  ): Promise<void> =>
    stores.skillAudit.record({ id: generateId(), slug, skillId: id, action, actor, details })

  async function promote(stores: Stores, principal: SkillPrincipal, skill: StoredSkill) {
    if (skill.visibility !== 'private') return
    await stores.skills.update(skill.id, { visibility: 'internal' })
    await record(stores, principal, skill, 'visibility.changed', {
      from: 'private',
      to: 'internal',
    })
  }

  async function demote(stores: Stores, principal: SkillPrincipal, skill: StoredSkill) {
    if (skill.visibility !== 'internal') return
    const { agents, users } = await stores.skillGrants.list(skill.id)
    if (agents.length + users.length > 0) return
    await stores.skills.update(skill.id, { visibility: 'private' })
    await record(stores, principal, skill, 'visibility.changed', {
      from: 'internal',
      to: 'private',
    })
  }

  async function revoke(
    principal: SkillPrincipal,
    idOrSlug: string,
    details: Readonly<Record<string, unknown>>,
    take: (stores: Stores, skillId: string) => Promise<boolean>,
  ): Promise<boolean> {
    requireOperator(principal, 'take back a grant')
    return await within(principal, async (stores) => {
      const skill = await lockManaged(stores, principal, idOrSlug)
      if (!(await take(stores, skill.id))) return false
      await record(stores, principal, skill, 'grant.revoked', details)
      await demote(stores, principal, skill)
      return true
    })
  }

  return {
    find: (principal, idOrSlug) =>
      within(principal, (stores) => findManaged(stores, principal, idOrSlug)),
    async managedOf(principal, skills) {
      if (principal.userId === undefined) return skills
      return await within(principal, async (stores) => {
        const managed = await Promise.all(
          skills.map((skill) => mayManage(stores, principal, skill)),
        )
        return skills.filter((_, index) => managed[index])
      })
    },
    versions: (principal, idOrSlug) =>
      within(principal, async (stores) => {
        const { id } = await findManaged(stores, principal, idOrSlug)
        return await stores.skills.versions(id)
      }),
    listFiles: (principal, idOrSlug, version) =>
      within(principal, async (stores) => {
        const skill = await findManaged(stores, principal, idOrSlug)
        return await stores.skills.listFiles(skill.id, version ?? skill.version)
      }),
    files: (principal, idOrSlug, { version, paths } = {}) =>
      within(principal, async (stores) => {
        const skill = await findManaged(stores, principal, idOrSlug)
        return await stores.skills.readFiles(skill.id, version ?? skill.version, paths)
      }),
    update: (principal, idOrSlug, patch) =>
      within(principal, async (stores) => {
        const before = await lockManaged(stores, principal, idOrSlug)
        const after = (await stores.skills.update(before.id, patch)) ?? before
        const changes = [
          ['visibility', 'visibility.changed'],
          ['status', 'status.changed'],
          ['version', 'version.selected'],
        ] as const
        for (const [field, action] of changes) {
          if (before[field] === after[field]) continue
          await record(stores, principal, after, action, { from: before[field], to: after[field] })
        }
        return after
      }),
    delete: (principal, idOrSlug) =>
      within(principal, async (stores) => {
        const skill = await lockManaged(stores, principal, idOrSlug)
        if (skill.deletedAt !== undefined) return skill
        await stores.skills.delete(skill.id)
        await record(stores, principal, skill, 'deleted', {})
        return (await stores.skills.find(skill.id)) ?? skill
      }),
    restore: (principal, id) =>
      within(principal, async (stores) => {
        const skill = await lockManaged(stores, principal, id)
        if (skill.deletedAt === undefined) return skill
        const restored = (await stores.skills.restore(skill.id)) ?? skill
        await record(stores, principal, restored, 'restored', {})
        return restored
      }),
    erase: (principal, idOrSlug) =>
      within(principal, async (stores) => {
        const skill = await lockManaged(stores, principal, idOrSlug)
        const erased = await stores.skills.erase(skill.id)
        await record(stores, principal, skill, 'erased', { ...erased })
        return { slug: skill.slug, erased }
      }),
    setEnabled(principal, slug, enabled) {
      requireOperator(principal, 'switch skills on and off')
      return within(principal, async (stores) => {
        const skill = await stores.skills.find(slug)
        await stores.skills.setSwitch(skill?.slug ?? slug, enabled)
        const known = { slug: skill?.slug ?? slug, id: skill?.id }
        await record(stores, principal, known, 'switch.changed', { enabled })
      })
    },
    grants: (principal, idOrSlug) =>
      within(principal, async (stores) => {
        const { id } = await findManaged(stores, principal, idOrSlug)
        return await stores.skillGrants.list(id)
      }),
    grantAgent(principal, idOrSlug, grant) {
      requireOperator(principal, 'give grants')
      return within(principal, async (stores) => {
        const skill = await lockManaged(stores, principal, idOrSlug)
        const grantedBy = principal.actor
        const given = await stores.skillGrants.putAgent({ ...grant, skillId: skill.id, grantedBy })
        await record(stores, principal, skill, 'grant.given', { ...grant })
        await promote(stores, principal, skill)
        return given
      })
    },
    grantUser(principal, idOrSlug, grant) {
      requireOperator(principal, 'give grants')
      if (grant.userId === '') {
        throw new InvalidInputError({
          message: 'A grant needs a user. Make the skill public if everybody is meant.',
          issues: [{ path: 'userId', message: 'is empty' }],
        })
      }
      return within(principal, async (stores) => {
        const skill = await lockManaged(stores, principal, idOrSlug)
        const grantedBy = principal.actor
        const given = await stores.skillGrants.putUser({ ...grant, skillId: skill.id, grantedBy })
        await record(stores, principal, skill, 'grant.given', { ...grant })
        await promote(stores, principal, skill)
        return given
      })
    },
    revokeAgent: (principal, idOrSlug, agentId) =>
      revoke(principal, idOrSlug, { agentId }, (stores, skillId) =>
        stores.skillGrants.deleteAgent(skillId, agentId),
      ),
    revokeUser: (principal, idOrSlug, userId) =>
      revoke(principal, idOrSlug, { userId }, (stores, skillId) =>
        stores.skillGrants.deleteUser(skillId, userId),
      ),
  }
}
