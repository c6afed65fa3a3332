import type { SkillStatus, SkillVisibility } from '@loam/storage'

/** A skill, and what decides whether one agent and one user may use it. */
export interface SkillCandidate {
  readonly slug: string
  /** Undefined for a skill of a folder, which is nobody's: an operator put it there for all. */
  readonly managed:
    | {
        readonly visibility: SkillVisibility
        readonly status: SkillStatus
        /** `''`: no user owns it. */
        readonly ownerUserId: string
        /** The agent that made it; owns it as far as no user does. */
        readonly ownerAgentId: string | undefined
        /** The grant that the caller's agent has. */
        readonly agentGrant:
          | { readonly pinnedVersion: number | undefined; readonly canManage: boolean }
          | undefined
        /** The grant that the caller's user has. */
        readonly userGrant: { readonly canManage: boolean } | undefined
      }
    | undefined
  /** Whether the tenant has it switched on. */
  readonly enabled: boolean
}

/** On whose behalf skills are looked for. */
export interface SkillCaller {
  /** `''` is no agent in particular, which owns nothing. */
  readonly agentId: string
  /** `''` is nobody in particular, who owns nothing and has no grant. */
  readonly userId: string
  /** The agent's own allow list: null or undefined lets everything through, `[]` nothing (seed 12.5). */
  readonly allowList?: readonly string[] | null | undefined
  /** Takes the place of the allow list for one request; never reaches beyond what is accessible (spec 03, 4.7). */
  readonly filter?: readonly string[] | null | undefined
}

/**
 * Why a skill may be used or not.
 *
 * - `folder`, `public`, `owner`, `agent_grant`, `user_grant`: it may, for this reason
 * - `disabled`: the tenant has its slug switched off
 * - `archived`: it is kept, and offered to nobody
 * - `not_owner`: it is private, and someone else's
 * - `not_granted`: it is internal, and neither the agent nor the user has a grant
 * - `not_in_allow_list`, `not_in_filter`: it could be used, and a list leaves it out
 * - `not_found`: there is none
 */
export const SKILL_ACCESS_REASONS = [
  'folder',
  'public',
  'owner',
  'agent_grant',
  'user_grant',
  'disabled',
  'archived',
  'not_owner',
  'not_granted',
  'not_in_allow_list',
  'not_in_filter',
  'not_found',
] as const
/** See `SKILL_ACCESS_REASONS`. */
export type SkillAccessReason = (typeof SKILL_ACCESS_REASONS)[number]

/** Whether a caller may use a skill, and why. */
export interface SkillAccess {
  readonly accessible: boolean
  readonly reason: SkillAccessReason
  /** Whether the agent or the user may change what it says, also while it is archived or a list leaves it out. */
  readonly canManage: boolean
  /** The version that the agent's grant pins; undefined for a skill that may not be used. */
  readonly pinnedVersion: number | undefined
}
