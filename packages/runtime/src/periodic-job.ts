import { setTimeout as delay } from 'node:timers/promises'
import { describeThrown, silentLogger, type Logger } from '@loam/core'

/** Work that is done again and again. */
export interface PeriodicJob {
  /** Ends it; resolves when the work in hand has ended. */
  stop(): Promise<void>
}

/** Does `work` at once and then every `everyMs`; a failure is logged, and the next time comes. */
export function startPeriodicJob(
  work: (signal: AbortSignal) => Promise<void>,
  {
    name,
    everyMs,
    logger = silentLogger,
  }: { readonly name: string; readonly everyMs: number; readonly logger?: Logger | undefined },
): PeriodicJob {
  const stopping = new AbortController()
  const { signal } = stopping
  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        await work(signal)
      } catch (error) {
        if (signal.aborted) return
        logger.warn('A periodic job failed; it comes again.', {
          job: name,
          error: describeThrown(error),
        })
      }
      await delay(everyMs, undefined, { signal }).catch(() => {})
    }
  }
  const running = run()
  return {
    async stop() {
      stopping.abort(new Error('The process is shutting down.'))
      await running
    },
  }
}
