import type { ModelUsage, Scope } from '@loam/core'

/** A call of a model, recorded before it is sent, so that money has an owner. */
export interface ModelCall {
  readonly id: string
  readonly scope: Scope
  readonly task: string
  readonly kind: 'chat' | 'embedding'
  readonly provider: string
  readonly model: string
  readonly runId?: string | undefined
  readonly jobId?: string | undefined
  readonly startedAt: Date
}

/** How a call ended. */
export interface ModelCallOutcome {
  readonly status: 'succeeded' | 'failed'
  readonly usage?: ModelUsage | undefined
  /** Code of the error of a failed call. */
  readonly errorCode?: string | undefined
  readonly finishedAt: Date
}

export interface ModelCallStore {
  begin(call: ModelCall): Promise<void>
  finish(id: string, outcome: ModelCallOutcome): Promise<void>
  /** Calls and tokens of this tenant since a moment. */
  totals(since: Date): Promise<{
    readonly calls: number
    readonly inputTokens: number
    readonly outputTokens: number
  }>
}
