import type { AbortableOptions } from '@loam/core'

/** How long a piece of work may take, and who may cancel it. */
export interface Deadline {
  /** Aborted when the time is over or the caller gives up. */
  readonly signal: AbortSignal
  /** Milliseconds until the time is over. */
  remainingMs(): number
  /** Waits for something that is no part of the work, so that its time stands still meanwhile. Not to be nested. */
  uncounted<Result>(wait: () => Promise<Result>): Promise<Result>
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

  let endsAt = performance.now() + timeoutMs
  const expire = () => controller.abort(timeoutError())
  let timer = setTimeout(expire, timeoutMs)
  const deadline: Deadline = {
    signal: controller.signal,
    remainingMs: () => endsAt - performance.now(),
    async uncounted(wait) {
      clearTimeout(timer)
      const stopped = performance.now()
      try {
        return await wait()
      } finally {
        endsAt += performance.now() - stopped
        timer = setTimeout(expire, Math.max(0, deadline.remainingMs()))
      }
    },
  }
  try {
    return await work(deadline)
  } catch (error) {
    controller.signal.throwIfAborted()
    throw error
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', forwardAbort)
  }
}
