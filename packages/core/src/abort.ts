/** An operation that a caller may cancel. Other option types extend it. */
export interface AbortableOptions {
  /** Cancels the operation; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}
