const mark = Symbol.for('loam.error')

/** What every Loam error is made from. */
export interface LoamErrorInput {
  /** A sentence that names the value and the cure. */
  readonly message: string
  /** Facts that are safe to show to the caller. */
  readonly details?: Readonly<Record<string, unknown>> | undefined
  readonly cause?: unknown
}

interface LoamErrorKind {
  readonly code: string
  readonly retryable: boolean
}

/**
 * The base of all errors that Loam throws on purpose.
 *
 * `code` is stable and part of the public contract. `isInstance` works across two installed copies of this package;
 * `instanceof` does not.
 */
export abstract class LoamError extends Error {
  readonly code: string
  /** Whether the same call may succeed later without a change. */
  readonly retryable: boolean
  readonly details: Readonly<Record<string, unknown>>

  constructor(kind: LoamErrorKind, { message, details = {}, cause }: LoamErrorInput) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = new.target.name
    this.code = kind.code
    this.retryable = kind.retryable
    this.details = details
    Object.defineProperty(this, mark, { value: true })
  }

  /** Whether `value` is a Loam error, whichever copy of the package made it. */
  static isInstance(value: unknown): value is LoamError {
    return typeof value === 'object' && value !== null && mark in value
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
  readonly issues: readonly InputIssue[]

  constructor(input: LoamErrorInput & { readonly issues?: readonly InputIssue[] }) {
    const issues = input.issues ?? [{ path: '', message: input.message }]
    super(
      { code: 'invalid_input', retryable: false },
      { ...input, details: { ...input.details, issues } },
    )
    this.issues = issues
  }
}

/** The request carries no valid key. Code `unauthenticated`. */
export class UnauthenticatedError extends LoamError {
  constructor(input: LoamErrorInput) {
    super({ code: 'unauthenticated', retryable: false }, input)
  }
}

/** The caller is known, and may not do this. Code `forbidden`. */
export class ForbiddenError extends LoamError {
  constructor(input: LoamErrorInput) {
    super({ code: 'forbidden', retryable: false }, input)
  }
}

/** There is no such record in this scope. Code `not_found`. */
export class NotFoundError extends LoamError {
  constructor(input: LoamErrorInput) {
    super({ code: 'not_found', retryable: false }, input)
  }
}

/** The input contradicts what is stored. Code `conflict`. */
export class ConflictError extends LoamError {
  constructor(input: LoamErrorInput) {
    super({ code: 'conflict', retryable: false }, input)
  }
}

/** A budget, a rate or a size was exceeded. Code `limit_exceeded`. */
export class LimitError extends LoamError {
  /** After this many milliseconds the call may succeed; undefined when waiting does not help. */
  readonly retryAfterMs: number | undefined

  constructor(input: LoamErrorInput & { readonly retryAfterMs?: number | undefined }) {
    super({ code: 'limit_exceeded', retryable: input.retryAfterMs !== undefined }, input)
    this.retryAfterMs = input.retryAfterMs
  }
}

/** A model could not be reached, refused, or timed out. Code `model_failed`. */
export class ModelError extends LoamError {
  constructor(input: LoamErrorInput & { readonly retryable: boolean }) {
    super({ code: 'model_failed', retryable: input.retryable }, input)
  }
}

/** A model answered with something that does not fit what was asked. Code `model_output_invalid`. */
export class ModelOutputError extends LoamError {
  constructor(input: LoamErrorInput) {
    super({ code: 'model_output_invalid', retryable: false }, input)
  }
}

/** A vector's length is not that of its embedding space. Code `vector_dimension_mismatch`. */
export class VectorDimensionError extends LoamError {
  constructor({ expected, actual }: { readonly expected: number; readonly actual: number }) {
    super(
      { code: 'vector_dimension_mismatch', retryable: false },
      {
        message: `The vector has ${actual} dimensions, and its embedding space has ${expected}. Use the model that the space names, or a space of its own.`,
        details: { expected, actual },
      },
    )
  }
}

/** The database cannot be reached at present. Code `storage_unavailable`. */
export class StorageUnavailableError extends LoamError {
  constructor(input: LoamErrorInput) {
    super({ code: 'storage_unavailable', retryable: true }, input)
  }
}

/** The database refused a statement that should have worked. Code `storage_failed`. */
export class StorageFailedError extends LoamError {
  constructor(input: LoamErrorInput) {
    super({ code: 'storage_failed', retryable: false }, input)
  }
}

/** Another process holds the embedded store. Code `store_in_use`. */
export class StoreInUseError extends LoamError {
  constructor(input: LoamErrorInput) {
    super({ code: 'store_in_use', retryable: true }, input)
  }
}

/** The database was migrated by a newer release. Code `schema_too_new`. */
export class SchemaTooNewError extends LoamError {
  constructor(input: LoamErrorInput) {
    super({ code: 'schema_too_new', retryable: false }, input)
  }
}

/** The environment or an options object does not describe a Loam that can start. Code `invalid_configuration`. */
export class ConfigurationError extends LoamError {
  readonly issues: readonly InputIssue[]

  constructor(input: LoamErrorInput & { readonly issues: readonly InputIssue[] }) {
    super(
      { code: 'invalid_configuration', retryable: false },
      { ...input, details: { ...input.details, issues: input.issues } },
    )
    this.issues = input.issues
  }
}
