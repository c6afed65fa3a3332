/** Who may use a managed skill (seed 12). */
export const SKILL_VISIBILITIES = ['private', 'internal', 'public'] as const
/** See `SKILL_VISIBILITIES`: its owner, whoever has a grant, or the whole tenant. */
export type SkillVisibility = (typeof SKILL_VISIBILITIES)[number]

/** A skill, and what decides whether one agent and one user may use it. */
export interface SkillCandidate {
  readonly slug: string
  /** Undefined for a skill of a folder, which is nobody's: an operator put it there for all. */
  readonly managed:
    | {
        readonly visibility: SkillVisibility
        readonly status: 'active' | 'archived'
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
  readonly agentId: string
  /** `''` is nobody in particular, who owns nothing and has no grant. */
  readonly userId: string
  /** The agent's own allow list: null or undefined lets everything through, `[]` nothing (seed 12.5). */
  readonly allowList?: readonly string[] | null | undefined
  /** Takes the place of the allow list for one request; never reaches beyond what is accessible (spec 03, 4.7). */
  readonly filter?: readonly string[] | null | undefined
}
