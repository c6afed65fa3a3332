import type { SkillCaller, SkillCandidate } from '../../src/access/skill-access.js'

/** What decides about a stored skill. */
export type Managed = NonNullable<SkillCandidate['managed']>

/** The agent `scout` for the user `ana`. */
export const caller: SkillCaller = { agentId: 'scout', userId: 'ana' }

/** A grant that does no more than to let its holder use the skill. */
export const agentGrant = { pinnedVersion: undefined, canManage: false }

/** A skill of a folder. */
export function folderSkill(slug = 'pdf', enabled = true): SkillCandidate {
  return { slug, enabled, managed: undefined }
}

/** A stored skill: private, active, of the user `ben` and the agent `scribe`, with no grants. */
export function storedSkill(managed: Partial<Managed> = {}, slug = 'pdf'): SkillCandidate {
  return {
    slug,
    enabled: true,
    managed: {
      visibility: 'private',
      status: 'active',
      ownerUserId: 'ben',
      ownerAgentId: 'scribe',
      agentGrant: undefined,
      userGrant: undefined,
      ...managed,
    },
  }
}
