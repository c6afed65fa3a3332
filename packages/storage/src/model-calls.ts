import type { AbortableOptions, ModelUsage, Scope } from '@loam/core'

/** What a call is charged. */
export interface ModelCharge {
  /** Input and output together. */
  readonly tokens: number
  /** In billionths of a US dollar, whole. */
  readonly costNanoUsd: number
}

/** What all calls of a tenant may be charged on one day, in UTC; what is undefined is not limited. */
export interface DailyModelLimits {
  readonly tokens?: number | undefined
  readonly costNanoUsd?: number | undefined
}

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
  /** What it is charged until `finish` says more: what it may need. Default: nothing. */
  readonly reserved?: ModelCharge | undefined
}

/** How a call ended. */
export interface ModelCallOutcome {
  readonly status: 'succeeded' | 'failed'
  /** As the provider counts; undefined when it does not say. */
  readonly usage?: ModelUsage | undefined
  /** What it is charged in the end. Default: what was reserved. */
  readonly charge?: ModelCharge | undefined
  /** Code of the error of a failed call. */
  readonly errorCode?: string | undefined
  readonly finishedAt: Date
}

/** Whether a call may be made. One that may not is not recorded; then `used` is what the others of the day are charged. */
export type ModelCallAdmission =
  | { readonly admitted: true }
  | { readonly admitted: false; readonly used: ModelCharge }

/**
 * Where calls are recorded as they are made, across the users of their tenant. Each record is a transaction of its own, so that
 * none is open while a model works.
 */
export interface ModelCallLog {
  /** See `ModelCallStore.begin`. An abort ends the wait, and the call is not recorded. */
  begin(
    call: ModelCall,
    limits?: DailyModelLimits,
    options?: AbortableOptions,
  ): Promise<ModelCallAdmission>
  /** See `ModelCallStore.finish`. */
  finish(call: Pick<ModelCall, 'id' | 'scope'>, outcome: ModelCallOutcome): Promise<void>
}

/** What the calls of a tenant cost, and what they may cost. */
export interface ModelCallStore {
  /**
   * Records a call and, with limits, reserves its charge out of what the tenant may use on the day on which it starts. However many
   * begin at once, the day's reservations stay within the limits. Limits are for all users of a tenant, and ask for access to all.
   */
  begin(call: ModelCall, limits?: DailyModelLimits): Promise<ModelCallAdmission>
  /** Records how a call ended, and corrects the day's total by what it is charged in the end. */
  finish(id: string, outcome: ModelCallOutcome): Promise<void>
  /** Calls, tokens as the provider counted them, and charges since a moment, of those users that the access reaches. */
  totals(since: Date): Promise<{
    readonly calls: number
    readonly inputTokens: number
    readonly outputTokens: number
    readonly charged: ModelCharge
  }>
}
