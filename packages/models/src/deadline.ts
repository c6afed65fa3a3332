import type { AbortableOptions } from '@loam/core'

/** How long a piece of work may take, and who may cancel it. */
export interface Deadline {
  /** Aborted when the time is over or the caller gives up. */
  readonly signal: AbortSignal
  /** When the time is over, on the clock of `performance.now()`. */
  readonly endsAt: number
}

/** Longest delay of a timer in Node; a longer one fires at once. */
export const MAX_TIMEOUT_MS = 2 ** 31 - 1

/**
 * Runs work that stops when `timeoutMs` is over or `signal` is aborted.
 *
 * @throws the signal's reason, or what `timeoutError` makes.
 */
export async function withDeadline<Result>(
  options: AbortableOptions & {
    readonly timeoutMs: number
    readonly timeoutError: () => Error
  },
  work: (deadline: Deadline) => Promise<Result>,
): Promise<Result> {
  const { signal, timeoutMs, timeoutError } = options
  signal?.throwIfAborted()
  const controller = new AbortController()
  const forwardAbort = () => controller.abort(signal?.reason)
  signal?.addEventListener('abort', forwardAbort, { once: true })
  const timer = setTimeout(() => controller.abort(timeoutError()), timeoutMs)
  try {
    return await work({ signal: controller.signal, endsAt: performance.now() + timeoutMs })
  } catch (error) {
    controller.signal.throwIfAborted()
    throw error
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', forwardAbort)
  }
}
