import type {
  NewSkillAgentGrant,
  SkillAgentGrant,
  SkillUserGrant,
  StoredSkill,
} from '@loam/storage'
import { recordAction, type RecordedWork } from './record-action.js'

/** What an agent is given of a skill. */
export type AgentGrantRequest = Pick<NewSkillAgentGrant, 'agentId' | 'pinnedVersion' | 'canManage'>
/** What a user is given of a skill. */
export type UserGrantRequest = Pick<SkillUserGrant, 'userId' | 'canManage'>
/** Whose grant is meant. */
export type GrantHolder = { readonly agentId: string } | { readonly userId: string }

/** Lets an agent use a skill that is held; a private one becomes internal. */
export async function giveToAgent(
  work: RecordedWork,
  skill: StoredSkill,
  grant: AgentGrantRequest,
): Promise<SkillAgentGrant> {
  const { stores, principal } = work
  const grantedBy = principal.actor
  const given = await stores.skillGrants.putAgent({ ...grant, skillId: skill.id, grantedBy })
  const { agentId, pinnedVersion, canManage } = given
  await recordAction(work, skill, 'grant.given', { agentId, pinnedVersion, canManage })
  if (skill.visibility === 'private') await changeVisibility(work, skill, 'internal')
  return given
}

/** Lets a user use a skill that is held; a private one becomes internal. */
export async function giveToUser(
  work: RecordedWork,
  skill: StoredSkill,
  grant: UserGrantRequest,
): Promise<SkillUserGrant> {
  const { stores, principal } = work
  const grantedBy = principal.actor
  const given = await stores.skillGrants.putUser({ ...grant, skillId: skill.id, grantedBy })
  const { userId, canManage } = given
  await recordAction(work, skill, 'grant.given', { userId, canManage })
  if (skill.visibility === 'private') await changeVisibility(work, skill, 'internal')
  return given
}

/** Takes a grant back; an internal skill without any is private. Returns false when there was none. */
export async function takeBack(
  work: RecordedWork,
  skill: StoredSkill,
  holder: GrantHolder,
): Promise<boolean> {
  const { skillGrants } = work.stores
  const had =
    'agentId' in holder
      ? await skillGrants.deleteAgent(skill.id, holder.agentId)
      : await skillGrants.deleteUser(skill.id, holder.userId)
  if (!had) return false
  await recordAction(work, skill, 'grant.revoked', { ...holder })
  if (skill.visibility !== 'internal') return true
  const { agents, users } = await skillGrants.list(skill.id)
  if (agents.length + users.length === 0) await changeVisibility(work, skill, 'private')
  return true
}

/** A private skill is its owner's alone, so what was granted of it is taken back, and does not come to life again later. */
export async function takeAllBack(work: RecordedWork, skill: StoredSkill): Promise<void> {
  const { skillGrants } = work.stores
  const { agents, users } = await skillGrants.list(skill.id)
  const holders: readonly GrantHolder[] = [
    ...agents.map(({ agentId }) => ({ agentId })),
    ...users.map(({ userId }) => ({ userId })),
  ]
  for (const holder of holders) await takeBack(work, { ...skill, visibility: 'private' }, holder)
}

async function changeVisibility(
  work: RecordedWork,
  skill: StoredSkill,
  visibility: StoredSkill['visibility'],
): Promise<void> {
  await work.stores.skills.update(skill.id, { visibility })
  const details = { from: skill.visibility, to: visibility }
  await recordAction(work, skill, 'visibility.changed', details)
}
