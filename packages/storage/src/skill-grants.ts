/** That an agent may use a skill. */
export interface SkillAgentGrant {
  readonly skillId: string
  readonly agentId: string
  /** The version that this agent has; undefined is the one that is served. */
  readonly pinnedVersion: number | undefined
  /** Whether it may change what the skill says. */
  readonly canManage: boolean
  readonly grantedBy: string
  readonly grantedAt: Date
}

/** That a user may use a skill. */
export interface SkillUserGrant {
  readonly skillId: string
  readonly userId: string
  /** Whether they may change what the skill says. */
  readonly canManage: boolean
  readonly grantedBy: string
  readonly grantedAt: Date
}

/** What is given to let an agent use a skill. */
export interface NewSkillAgentGrant extends Omit<SkillAgentGrant, 'grantedAt' | 'pinnedVersion'> {
  /** Undefined leaves the version that is pinned, if there is one; null takes it away. */
  readonly pinnedVersion: number | null | undefined
}

export interface SkillGrantStore {
  /**
   * Gives or changes a grant; who gave it first stays on record.
   *
   * @throws NotFoundError when there is no such skill, version or agent.
   */
  putAgent(grant: NewSkillAgentGrant): Promise<SkillAgentGrant>
  putUser(grant: Omit<SkillUserGrant, 'grantedAt'>): Promise<SkillUserGrant>
  /** Returns false when there is none. */
  deleteAgent(skillId: string, agentId: string): Promise<boolean>
  /** Returns false when there is none. */
  deleteUser(skillId: string, userId: string): Promise<boolean>
  /** Those of a skill; of users only those that the access sees: its own, and all of a skill that it owns. */
  list(skillId: string): Promise<{
    readonly agents: readonly SkillAgentGrant[]
    readonly users: readonly SkillUserGrant[]
  }>
}
