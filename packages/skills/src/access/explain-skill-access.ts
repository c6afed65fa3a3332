import type { SkillAccess, SkillAccessReason, SkillCaller, SkillCandidate } from './skill-access.js'

/**
 * Says whether a caller may use a skill, and why (seed 12). What is not plainly allowed is denied.
 *
 * @example
 * explainSkillAccess(candidate, { agentId, userId: 'ana' }) // { accessible: true, reason: 'public', … }
 */
export function explainSkillAccess(candidate: SkillCandidate, caller: SkillCaller): SkillAccess {
  const { managed, slug, enabled } = candidate
  const right = enabled ? rightOf(managed, caller) : 'disabled'
  const reason = ALLOWING.has(right) ? (leftOut(slug, caller) ?? right) : right
  const accessible = ALLOWING.has(reason)
  return {
    accessible,
    reason,
    // Whoever owns a skill can bring it back, too.
    canManage: mayManage(managed, caller),
    pinnedVersion: accessible ? managed?.agentGrant?.pinnedVersion : undefined,
  }
}

function rightOf(managed: SkillCandidate['managed'], caller: SkillCaller): SkillAccessReason {
  if (managed === undefined) return 'folder'
  if (managed.status !== 'active') return 'archived'
  switch (managed.visibility) {
    case 'public':
      return 'public'
    case 'private':
      return isOwner(managed, caller) ? 'owner' : 'not_owner'
    case 'internal':
      if (managed.agentGrant !== undefined) return 'agent_grant'
      if (caller.userId !== '' && managed.userGrant !== undefined) return 'user_grant'
      return isOwner(managed, caller) ? 'owner' : 'not_granted'
    default:
      return 'not_granted'
  }
}

/** The list that leaves a skill out: the request's where there is one, else the agent's. */
function leftOut(slug: string, { allowList, filter }: SkillCaller): SkillAccessReason | undefined {
  if (filter !== null && filter !== undefined) {
    return filter.includes(slug) ? undefined : 'not_in_filter'
  }
  if (allowList === null || allowList === undefined) return undefined
  return allowList.includes(slug) ? undefined : 'not_in_allow_list'
}

type Managed = NonNullable<SkillCandidate['managed']>

/** A user owns what is theirs with every agent; an agent owns what it made for nobody in particular. */
function isOwner(
  { ownerUserId, ownerAgentId }: Managed,
  { agentId, userId }: SkillCaller,
): boolean {
  if (ownerUserId !== '') return ownerUserId === userId
  return agentId !== '' && ownerAgentId === agentId
}

function mayManage(managed: SkillCandidate['managed'], caller: SkillCaller): boolean {
  if (managed === undefined) return false
  const { agentGrant, userGrant } = managed
  return (
    isOwner(managed, caller) ||
    agentGrant?.canManage === true ||
    (caller.userId !== '' && userGrant?.canManage === true)
  )
}

const ALLOWING: ReadonlySet<SkillAccessReason> = new Set([
  'folder',
  'public',
  'owner',
  'agent_grant',
  'user_grant',
])
