import { setTimeout as sleep } from 'node:timers/promises'
import { ModelError } from '@loam/core'
import pLimit from 'p-limit'
import type { Deadline } from './deadline.js'

/** Longest pause that one answer can impose on all calls, so that a mistaken one does not silence an endpoint for long. */
const LONGEST_PAUSE_MS = 300_000

/** Lets so many requests of one endpoint through at once, and none while the endpoint asks for a pause. */
export interface EndpointGate {
  /**
   * Does the work as soon as there is a place for it and no pause. Waiting for a place does not count against the
   * deadline; waiting for the end of a pause does.
   *
   * @throws ModelError at once when the pause outlasts the deadline.
   */
  pass<Result>(work: () => Promise<Result>, deadline: Deadline): Promise<Result>
  /** Holds everybody back for as long as the error says. */
  holdBack(error: ModelError): void
}

/** Makes the gate of one endpoint. */
export function createEndpointGate(maxConcurrency: number): EndpointGate {
  const limit = pLimit(maxConcurrency)
  let pause: { readonly until: number; readonly cause: ModelError } | undefined

  function remainingPause(): number {
    return pause === undefined ? 0 : Math.max(0, pause.until - performance.now())
  }

  async function pauseEnd(deadline: Deadline): Promise<void> {
    for (let waitMs = remainingPause(); waitMs > 0; waitMs = remainingPause()) {
      if (pause && waitMs >= deadline.remainingMs()) throw heldBack(pause.cause, waitMs)
      await sleep(waitMs, undefined, { signal: deadline.signal })
    }
  }

  /** Undefined when a pause began before there was a place. */
  async function inPlace<Result>(
    work: () => Promise<Result>,
    deadline: Deadline,
  ): Promise<{ readonly result: Result } | undefined> {
    const { signal } = deadline
    signal.throwIfAborted()
    let done: Promise<{ readonly result: Result } | undefined> | undefined
    await deadline.uncounted(
      () =>
        new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => resolve(), { once: true })
          done = limit(async () => {
            resolve()
            // Whoever gave up, or has to wait on, leaves the place to the next.
            if (signal.aborted || remainingPause() > 0) return undefined
            return { result: await work() }
          })
          // After an abort nobody else waits for it.
          done.catch(() => {})
        }),
    )
    signal.throwIfAborted()
    return done
  }

  return {
    async pass(work, deadline) {
      for (;;) {
        await pauseEnd(deadline)
        const outcome = await inPlace(work, deadline)
        if (outcome) return outcome.result
      }
    },
    holdBack(cause) {
      const { retryAfterMs = 0 } = cause
      const until = performance.now() + Math.min(retryAfterMs, LONGEST_PAUSE_MS)
      if (until > (pause?.until ?? 0)) pause = { until, cause }
    },
  }
}

/** The error of a call that was not sent, since the endpoint told another one to wait for longer than this one may. */
function heldBack({ reason, details }: ModelError, waitMs: number): ModelError {
  const retryAfterMs = Math.ceil(waitMs)
  return new ModelError({
    message: `Model "${String(details.model)}" asked for a pause of all calls that lasts ${retryAfterMs} ms more, which is longer than this one may take. Try again then.`,
    retryable: true,
    reason,
    retryAfterMs,
    details: { model: details.model },
  })
}
