/** That an agent may use a skill. */
export interface SkillAgentGrant {
  readonly skillId: string
  readonly agentId: string
  /** The version that this agent has; undefined is the one that is served. */
  readonly pinnedVersion: number | undefined
  /** Whether it may change and delete the skill. */
  readonly canManage: boolean
  readonly grantedBy: string
  readonly grantedAt: Date
}

/** That a user may use a skill. */
export interface SkillUserGrant {
  readonly skillId: string
  readonly userId: string
  /** Whether they may change and delete the skill. */
  readonly canManage: boolean
  readonly grantedBy: string
  readonly grantedAt: Date
}

export interface SkillGrantStore {
  /**
   * Gives or changes a grant; who gave it first stays on record.
   *
   * @throws NotFoundError when there is no such skill, version or agent.
   */
  putAgent(grant: Omit<SkillAgentGrant, 'grantedAt'>): Promise<SkillAgentGrant>
  putUser(grant: Omit<SkillUserGrant, 'grantedAt'>): Promise<SkillUserGrant>
  /** Returns false when there is none. */
  deleteAgent(skillId: string, agentId: string): Promise<boolean>
  /** Returns false when there is none. */
  deleteUser(skillId: string, userId: string): Promise<boolean>
  /** Those of a skill; of users only those that the access sees. */
  list(skillId: string): Promise<{
    readonly agents: readonly SkillAgentGrant[]
    readonly users: readonly SkillUserGrant[]
  }>
}
