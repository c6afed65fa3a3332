const mark = Symbol.for('loam.error')

/** What every Loam error is made from. */
export interface LoamErrorInput {
  /** A sentence that names the value and the cure. */
  readonly message: string
  /** Facts that are safe to show to the caller. */
  readonly details?: Readonly<Record<string, unknown>> | undefined
  readonly cause?: unknown
}

/**
 * The base of all errors that Loam throws on purpose.
 *
 * `code` is stable and part of the public contract. `isInstance` works across two installed copies of this package;
 * `instanceof` does not.
 */
export abstract class LoamError extends Error {
  /** The `code` of the errors of this class; `''` on the base, which stands for all. */
  static readonly code: string = ''

  readonly code: string
  /** Whether the same call may succeed later without a change. */
  readonly retryable: boolean
  readonly details: Readonly<Record<string, unknown>>

  constructor({ message, details = {}, cause }: LoamErrorInput, retryable = false) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = new.target.name
    this.code = new.target.code
    this.retryable = retryable
    this.details = details
    Object.defineProperty(this, mark, { value: true })
  }

  /** Whether `value` is an error of this class, whichever copy of the package made it. */
  static isInstance<Instance>(
    this: (abstract new (...input: never[]) => Instance) & { readonly code: string },
    value: unknown,
  ): value is Instance {
    if (typeof value !== 'object' || value === null || !(mark in value)) return false
    return this.code === '' || ('code' in value && value.code === this.code)
  }
}

/** One thing that is wrong with an input. */
export interface InputIssue {
  /** Where, such as `messages.3.role`. Empty for the input as a whole. */
  readonly path: string
  /** What was wrong, and what would be right. */
  readonly message: string
}

/** An input broke a rule. `details.issues` lists every fault. Code `invalid_input`. */
export class InvalidInputError extends LoamError {
  static override readonly code = 'invalid_input'

  readonly issues: readonly InputIssue[]

  constructor(input: LoamErrorInput & { readonly issues?: readonly InputIssue[] }) {
    const issues = input.issues ?? [{ path: '', message: input.message }]
    super({ ...input, details: { ...input.details, issues } })
    this.issues = issues
  }
}

/** The request carries no valid key. Code `unauthenticated`. */
export class UnauthenticatedError extends LoamError {
  static override readonly code = 'unauthenticated'
}

/** The caller is known, and may not do this. Code `forbidden`. */
export class ForbiddenError extends LoamError {
  static override readonly code = 'forbidden'
}

/** There is no such record in this scope. Code `not_found`. */
export class NotFoundError extends LoamError {
  static override readonly code = 'not_found'
}

/** The input contradicts what is stored. Code `conflict`. */
export class ConflictError extends LoamError {
  static override readonly code = 'conflict'
}

/**
 * The same request is being answered at this moment; asked again after `retryAfterMs`, it is told the same answer. Code
 * `still_answering`.
 */
export class StillAnsweringError extends LoamError {
  static override readonly code = 'still_answering'

  readonly retryAfterMs: number

  constructor(input: LoamErrorInput & { readonly retryAfterMs: number }) {
    super(input, true)
    this.retryAfterMs = input.retryAfterMs
  }
}

/** What is stored is not what the caller took it for; nothing was changed. Code `precondition_failed`. */
export class PreconditionFailedError extends LoamError {
  static override readonly code = 'precondition_failed'
}

/** A budget, a rate or a size was exceeded. Code `limit_exceeded`. */
export class LimitError extends LoamError {
  static override readonly code = 'limit_exceeded'

  /** After this many milliseconds the call may succeed; undefined when waiting does not help. */
  readonly retryAfterMs: number | undefined

  constructor(input: LoamErrorInput & { readonly retryAfterMs?: number | undefined }) {
    super(input, input.retryAfterMs !== undefined)
    this.retryAfterMs = input.retryAfterMs
  }
}

/**
 * Why a model gave no answer. Stable, and part of the public contract.
 *
 * - `unreachable`: no connection, so that nothing was sent
 * - `interrupted`: the connection broke before the answer was complete
 * - `timeout`: no answer in the time allowed
 * - `rate_limited`: too many calls or tokens in this time
 * - `quota_exceeded`: the account has used up what it may or can pay for
 * - `unauthorized`: the key is wrong, or may not use this
 * - `not_found`: there is no such endpoint or model
 * - `too_large`: the request is longer than the model or the endpoint takes
 * - `refused`: the endpoint does not take this request, and would not take it again
 * - `malformed`: what came is not what the API promises
 * - `unavailable`: the endpoint is overloaded or has a fault of its own
 */
export type ModelErrorReason =
  | 'unreachable'
  | 'interrupted'
  | 'timeout'
  | 'rate_limited'
  | 'quota_exceeded'
  | 'unauthorized'
  | 'not_found'
  | 'too_large'
  | 'refused'
  | 'malformed'
  | 'unavailable'

/** A model could not be reached, refused, or timed out; `reason` tells which. Code `model_failed`. */
export class ModelError extends LoamError {
  static override readonly code = 'model_failed'

  readonly reason: ModelErrorReason
  /** After this many milliseconds the call may succeed; undefined when nobody knows. */
  readonly retryAfterMs: number | undefined

  constructor(
    input: LoamErrorInput & {
      readonly retryable: boolean
      /** Default: `unavailable` when it is retryable, else `refused`. */
      readonly reason?: ModelErrorReason
      readonly retryAfterMs?: number | undefined
    },
  ) {
    const { retryable, reason = retryable ? 'unavailable' : 'refused', retryAfterMs } = input
    const wait = retryAfterMs === undefined ? {} : { retryAfterMs }
    super({ ...input, details: { ...input.details, reason, ...wait } }, retryable)
    this.reason = reason
    this.retryAfterMs = retryAfterMs
  }
}

/** A model answered with something that does not fit what was asked. Code `model_output_invalid`. */
export class ModelOutputError extends LoamError {
  static override readonly code = 'model_output_invalid'

  /**
   * The beginning of what it answered, for whoever looks into the failure. It may repeat a user's words, so it is neither
   * in `details` nor enumerable, and thus in no log.
   */
  declare readonly reply: string | undefined

  constructor(input: LoamErrorInput & { readonly reply?: string | undefined }) {
    super(input)
    Object.defineProperty(this, 'reply', { value: input.reply })
  }
}

/** A vector's length is not that of its embedding space. Code `vector_dimension_mismatch`. */
export class VectorDimensionError extends LoamError {
  static override readonly code = 'vector_dimension_mismatch'

  constructor({ expected, actual }: { readonly expected: number; readonly actual: number }) {
    super({
      message: `The vector has ${actual} dimensions, and its embedding space has ${expected}. Use the model that the space names, or a space of its own.`,
      details: { expected, actual },
    })
  }
}

/** The database cannot be reached at present. Code `storage_unavailable`. */
export class StorageUnavailableError extends LoamError {
  static override readonly code = 'storage_unavailable'

  constructor(input: LoamErrorInput) {
    super(input, true)
  }
}

/** The database refused a statement that should have worked. Code `storage_failed`. */
export class StorageFailedError extends LoamError {
  static override readonly code = 'storage_failed'
}

/** Another process holds the embedded store. Code `store_in_use`. */
export class StoreInUseError extends LoamError {
  static override readonly code = 'store_in_use'

  constructor(input: LoamErrorInput) {
    super(input, true)
  }
}

/** The database was migrated by a newer release. Code `schema_too_new`. */
export class SchemaTooNewError extends LoamError {
  static override readonly code = 'schema_too_new'
}

/** The environment or an options object does not describe a Loam that can start. Code `invalid_configuration`. */
export class ConfigurationError extends LoamError {
  static override readonly code = 'invalid_configuration'

  readonly issues: readonly InputIssue[]

  constructor(input: LoamErrorInput & { readonly issues: readonly InputIssue[] }) {
    super({ ...input, details: { ...input.details, issues: input.issues } })
    this.issues = input.issues
  }
}
