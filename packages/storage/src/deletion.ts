/** How many rows of each kind a deletion removed. */
export interface DeletionReceipt {
  readonly agents: number
  readonly contextFiles: number
  readonly sessions: number
  readonly messages: number
  readonly runs: number
  readonly documents: number
  readonly episodes: number
  readonly chunks: number
  readonly vectors: number
}
