/** `create` fills a new agent's files, `retry` those that are still templates, `regenerate` changes them by instruction. */
export const SUMMON_KINDS = ['create', 'retry', 'regenerate'] as const
/** See `SUMMON_KINDS`. */
export type SummonKind = (typeof SUMMON_KINDS)[number]

/** How the writing of an agent's files by a model stands. `partial`: some files are the model's, the others as before. */
export const SUMMON_STATES = ['running', 'completed', 'partial', 'failed', 'cancelled'] as const
/** See `SUMMON_STATES`. */
export type SummonState = (typeof SUMMON_STATES)[number]

/** What became of one file. */
export interface SummonedFile {
  readonly name: string
  /** `written` by the model; `kept` as it was, because the model gave none that could be used. */
  readonly outcome: 'written' | 'kept'
  /** Why it was kept. */
  readonly reason?: string | undefined
}

/** The newest writing of an agent's files by a model. */
export interface Summon {
  readonly agentId: string
  /** One more with each start and each cancellation: what an older one brings is not stored. */
  readonly generation: number
  readonly kind: SummonKind
  readonly state: SummonState
  /** What the model shall write: a description, or what to change. */
  readonly instruction: string
  readonly files: readonly SummonedFile[]
  readonly error: { readonly code: string; readonly message: string } | undefined
  readonly startedAt: Date
  readonly finishedAt: Date | undefined
}

/** How a summon ended. */
export type SummonOutcome = Pick<Summon, 'files'> & {
  readonly state: Exclude<SummonState, 'running' | 'cancelled'>
  readonly error?: Summon['error']
  readonly finishedAt: Date
}

export interface SummonStore {
  find(agentId: string): Promise<Summon | undefined>
  /** Begins one. Undefined when one is running that began after `staleBefore`. */
  start(
    summon: Pick<Summon, 'agentId' | 'kind' | 'instruction' | 'startedAt'>,
    staleBefore: Date,
  ): Promise<Summon | undefined>
  /** Records how that generation ended, and holds it until the end of the transaction. Returns false when it is not running any more. */
  finish(agentId: string, generation: number, outcome: SummonOutcome): Promise<boolean>
  /** Ends one that is running. Returns false when none is. */
  cancel(agentId: string, at: Date): Promise<boolean>
}
