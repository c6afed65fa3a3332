/** How far an agent and one of its users have got to know each other. */
export interface AgentUser {
  readonly agentId: string
  readonly userId: string
  /** Turns of direct sessions since the first one; counted while the first-run ritual lasts. */
  readonly turns: number
  /** When the first-run ritual ended; undefined while it lasts. It never begins again. */
  readonly onboardedAt: Date | undefined
  readonly createdAt: Date
}

export interface AgentUserStore {
  find(agentId: string, userId: string): Promise<AgentUser | undefined>
  /**
   * Returns the record of a user, made if there was none, and holds it until the end of the transaction, so that first
   * messages that come at once take turns.
   */
  ensure(
    agentId: string,
    userId: string,
  ): Promise<{ readonly user: AgentUser; readonly created: boolean }>
  /** Counts a turn, once for each `turnId`. Returns how many there are now; the record has to be there. */
  countTurn(agentId: string, userId: string, turnId: string): Promise<number>
  /** Ends the first-run ritual. The first time stays. */
  completeOnboarding(agentId: string, userId: string, at: Date): Promise<void>
}
