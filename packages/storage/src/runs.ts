import type { ModelUsage } from '@loam/core'

/** How a run ended. */
export const RUN_STATUSES = ['completed', 'failed', 'cancelled'] as const
/** See `RUN_STATUSES`. */
export type RunStatus = (typeof RUN_STATUSES)[number]

/** One answered turn or finished task of a session. */
export interface Run {
  readonly id: string
  readonly sessionId: string
  /** The client's own id; unique within the session, so that a report sent twice counts once. */
  readonly runId: string
  readonly status: RunStatus
  /** What the client's own compaction made of the conversation so far, if it ran. */
  readonly compactionSummary: string | undefined
  readonly usage: Partial<ModelUsage> | undefined
  /** Sequence of the session's newest message when the run was reported. */
  readonly lastSequence: number
  /** The event that the run caused. */
  readonly eventId: string
  readonly createdAt: Date
}

export interface RunStore {
  /** Stores the run unless the session has one with this `runId`; returns the stored one either way. */
  insertIfNew(
    run: Omit<Run, 'createdAt'>,
  ): Promise<{ readonly run: Run; readonly created: boolean }>
  find(id: string): Promise<Run | undefined>
  /** The newest run of a session; undefined when it has none. */
  latest(sessionId: string): Promise<Run | undefined>
}
