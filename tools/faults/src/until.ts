import { setTimeout as delay } from 'node:timers/promises'

/** How long to look, and what to say when it was in vain. */
export interface UntilOptions {
  /** Default 90 s: the machine may be busy with other tests. */
  readonly timeoutMs?: number
  /** Time between two looks. Default 30 ms. */
  readonly everyMs?: number
  /** Added to the error. */
  readonly diagnose?: () => Promise<string>
}

/**
 * Looks until there is something to see, and returns it. `undefined` and `false` are nothing.
 *
 * @throws Error that says what was waited for, and how it stood.
 */
export async function until<Seen>(
  what: string,
  look: () => Promise<Seen | undefined | false> | Seen | undefined | false,
  { timeoutMs = 90_000, everyMs = 30, diagnose }: UntilOptions = {},
): Promise<Seen> {
  const end = performance.now() + timeoutMs
  for (;;) {
    const seen = await look()
    if (seen !== undefined && seen !== false) return seen
    if (performance.now() > end) {
      const state = await diagnose?.()
      throw new Error(`Waited ${timeoutMs / 1000} s in vain until ${what}.\n${state ?? ''}`)
    }
    await delay(everyMs)
  }
}
