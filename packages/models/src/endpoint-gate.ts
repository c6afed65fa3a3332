import { setTimeout as sleep } from 'node:timers/promises'
import { ModelError } from '@loam/core'
import type { Deadline } from './deadline.js'
import { createFairPlaces, type PlaceOwner } from './fair-places.js'

/** Longest pause that one answer can impose on all calls, so that a mistaken one does not silence an endpoint for long. */
const LONGEST_PAUSE_MS = 300_000

/** Lets so many requests of one endpoint through at once, and none while the endpoint asks for a pause. */
export interface EndpointGate {
  /**
   * Does the work as soon as there is a place for it and no pause. Places are given in turn to tenants and their users. Waiting
   * for one does not count against the deadline; waiting for the end of a pause does.
   *
   * @throws ModelError at once when the pause outlasts the deadline.
   */
  pass<Result>(work: () => Promise<Result>, deadline: Deadline, owner: PlaceOwner): Promise<Result>
  /** Holds everybody back for as long as the error says. */
  holdBack(error: ModelError): void
}

/** Makes the gate of one endpoint, which keeps `spare` places from being taken by a single user. */
export function createEndpointGate(maxConcurrency: number, spare = 0): EndpointGate {
  const places = createFairPlaces(maxConcurrency, spare)
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
    owner: PlaceOwner,
  ): Promise<{ readonly result: Result } | undefined> {
    const { signal } = deadline
    signal.throwIfAborted()
    const place = places.ask(owner)
    try {
      await deadline.uncounted(() => readyOrAborted(place.ready, signal))
      signal.throwIfAborted()
      return remainingPause() > 0 ? undefined : { result: await work() }
    } finally {
      // Whoever gave up, or has to wait on, leaves the place to the next.
      place.leave()
    }
  }

  return {
    async pass(work, deadline, owner) {
      for (;;) {
        await pauseEnd(deadline)
        const outcome = await inPlace(work, deadline, owner)
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

function readyOrAborted(ready: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      signal.removeEventListener('abort', end)
      resolve()
    }
    signal.addEventListener('abort', end)
    void ready.then(end)
  })
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
