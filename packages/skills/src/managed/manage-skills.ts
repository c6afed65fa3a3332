import { InvalidInputError, NotFoundError, type GenerateId } from '@loam/core'
import type {
  Page,
  PageRequest,
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
  giveToAgent,
  giveToUser,
  takeAllBack,
  takeBack,
  type AgentGrantRequest,
  type GrantHolder,
  type UserGrantRequest,
} from './grants.js'
import {
  accessOf,
  findManaged,
  lockManaged,
  noSuchSkill,
  requireOperator,
  type SkillPrincipal,
} from './principal.js'
import { recordAction, type RecordedWork } from './record-action.js'

/** Managing the skills of a tenant. Everything is recorded, and everything names its skill by id or slug. */
export interface SkillManagement {
  find(principal: SkillPrincipal, idOrSlug: string): Promise<StoredSkill>
  /** Those that the principal may manage, by slug. */
  list(principal: SkillPrincipal, page: PageRequest): Promise<Page<StoredSkill>>
  versions(principal: SkillPrincipal, idOrSlug: string): Promise<readonly SkillVersion[]>
  /** The paths and sizes of a version's files; default: the one that is served. @throws NotFoundError also for the version. */
  listFiles(
    principal: SkillPrincipal,
    idOrSlug: string,
    version?: number,
  ): ReturnType<Stores['skills']['listFiles']>
  /** The files of a version with their contents: all, or those asked for. @throws NotFoundError also for the version. */
  files(
    principal: SkillPrincipal,
    idOrSlug: string,
    options?: {
      readonly version?: number | undefined
      readonly paths?: readonly string[] | undefined
    },
  ): Promise<readonly StoredSkillFile[]>
  /**
   * Changes who may use a skill, whether it is offered, or which version is served. One that becomes private loses its grants.
   *
   * @throws ForbiddenError for what is the owner's business, or the operator's: to make it internal or public.
   */
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
    grant: AgentGrantRequest,
  ): Promise<SkillAgentGrant>
  /** A private skill becomes internal by its first grant. */
  grantUser(
    principal: SkillPrincipal,
    idOrSlug: string,
    grant: UserGrantRequest,
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
    work: (stores: Stores, recorded: RecordedWork) => Promise<Result>,
  ): Promise<Result> =>
    storage.transaction(accessOf(principal), (stores) =>
      work(stores, { stores, principal, generateId }),
    )

  const revoke = async (
    principal: SkillPrincipal,
    idOrSlug: string,
    holder: GrantHolder,
  ): Promise<boolean> => {
    requireOperator(principal, 'take back a grant')
    return await within(principal, async (stores, work) =>
      takeBack(work, await lockManaged(stores, principal, idOrSlug), holder),
    )
  }

  return {
    find: (principal, idOrSlug) =>
      within(principal, (stores) => findManaged(stores, principal, idOrSlug)),
    list: (principal, page) =>
      within(principal, ({ skills }) => skills.list({ ...page, managedBy: principal.userId })),
    versions: (principal, idOrSlug) =>
      within(principal, async (stores) => {
        const { id } = await findManaged(stores, principal, idOrSlug)
        return await stores.skills.versions(id)
      }),
    listFiles: (principal, idOrSlug, version) =>
      within(principal, async (stores) => {
        const skill = await findManaged(stores, principal, idOrSlug)
        const files = await stores.skills.listFiles(skill.id, version ?? skill.version)
        if (files.length === 0) throw noSuchVersion(skill, version)
        return files
      }),
    files: (principal, idOrSlug, { version, paths } = {}) =>
      within(principal, async (stores) => {
        const skill = await findManaged(stores, principal, idOrSlug)
        const files = await stores.skills.readFiles(skill.id, version ?? skill.version, paths)
        if (files.length > 0 || version === undefined || version === skill.version) return files
        const all = await stores.skills.listFiles(skill.id, version)
        if (all.length === 0) throw noSuchVersion(skill, version)
        return files
      }),
    update: (principal, idOrSlug, patch) =>
      within(principal, async (stores, work) => {
        const { visibility, status } = patch
        const role = visibility === undefined && status === undefined ? 'manager' : 'owner'
        const before = await lockManaged(stores, principal, idOrSlug, { role })
        if (
          visibility !== undefined &&
          visibility !== 'private' &&
          visibility !== before.visibility
        )
          requireOperator(principal, `make a skill ${visibility}`)
        const after = (await stores.skills.update(before.id, patch)) ?? before
        const changes = [
          ['visibility', 'visibility.changed'],
          ['status', 'status.changed'],
          ['version', 'version.selected'],
        ] as const
        for (const [field, action] of changes) {
          if (before[field] === after[field]) continue
          await recordAction(work, after, action, { from: before[field], to: after[field] })
        }
        if (visibility === 'private') await takeAllBack(work, after)
        return after
      }),
    delete: (principal, idOrSlug) =>
      within(principal, async (stores, work) => {
        const need = { role: 'owner', deleted: true } as const
        const skill = await lockManaged(stores, principal, idOrSlug, need)
        if (skill.deletedAt !== undefined) return skill
        await stores.skills.delete(skill.id)
        await recordAction(work, skill, 'deleted', {})
        return (await stores.skills.find(skill.id)) ?? skill
      }),
    restore: (principal, id) =>
      within(principal, async (stores, work) => {
        const need = { role: 'owner', deleted: true } as const
        const skill = await lockManaged(stores, principal, id, need)
        if (skill.deletedAt === undefined) return skill
        const restored = (await stores.skills.restore(skill.id)) ?? skill
        await recordAction(work, restored, 'restored', {})
        return restored
      }),
    erase: (principal, idOrSlug) =>
      within(principal, async (stores, work) => {
        const need = { role: 'owner', deleted: true } as const
        const skill = await lockManaged(stores, principal, idOrSlug, need)
        const erased = await stores.skills.erase(skill.id)
        await recordAction(work, skill, 'erased', { ...erased })
        return { slug: skill.slug, erased }
      }),
    async setEnabled(principal, slug, enabled) {
      requireOperator(principal, 'switch skills on and off')
      await within(principal, async (stores, work) => {
        const skill = await stores.skills.find(slug)
        if (skill?.deletedAt !== undefined) throw noSuchSkill(slug)
        const known = { slug: skill?.slug ?? slug, id: skill?.id }
        await stores.skills.setSwitch(known.slug, enabled)
        await recordAction(work, known, 'switch.changed', { enabled })
      })
    },
    grants: (principal, idOrSlug) =>
      within(principal, async (stores) => {
        const { id } = await findManaged(stores, principal, idOrSlug)
        return await stores.skillGrants.list(id)
      }),
    async grantAgent(principal, idOrSlug, grant) {
      requireOperator(principal, 'give grants')
      return await within(principal, async (stores, work) =>
        giveToAgent(work, await lockManaged(stores, principal, idOrSlug), grant),
      )
    },
    async grantUser(principal, idOrSlug, grant) {
      requireOperator(principal, 'give grants')
      if (grant.userId === '') {
        throw new InvalidInputError({
          message: 'A grant needs a user. Make the skill public if everybody is meant.',
          issues: [{ path: 'userId', message: 'is empty' }],
        })
      }
      return await within(principal, async (stores, work) =>
        giveToUser(work, await lockManaged(stores, principal, idOrSlug), grant),
      )
    },
    revokeAgent: (principal, idOrSlug, agentId) => revoke(principal, idOrSlug, { agentId }),
    revokeUser: (principal, idOrSlug, userId) => revoke(principal, idOrSlug, { userId }),
  }
}

/** Every version has a SKILL.md at least, so one without files is none. */
function noSuchVersion(skill: StoredSkill, version = skill.version): NotFoundError {
  return new NotFoundError({ message: `The skill "${skill.slug}" has no version ${version}.` })
}
