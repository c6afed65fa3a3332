import { describeThrown } from './describe-thrown.js'
import type { LogFields, Logger } from './logger.js'

/** Says that something is away once, and once that it is back, however often it is tried in between. */
export interface OutageLog {
  /** A part that needs it failed. */
  failed(part: string, error: unknown, fields?: LogFields): void
  /** That part had what it needs. The outage is over when all parts had that failed. */
  worked(part: string): void
}

/** What an outage log is made of. */
export interface OutageLogOptions {
  readonly logger: Logger
  /** Said, as a warning, when the first part fails; of the failures that follow it is said at debug. */
  readonly lost: string
  /** Said when the last part that failed has worked. */
  readonly back: string
}

/** Makes an outage log. */
export function createOutageLog({ logger, lost, back }: OutageLogOptions): OutageLog {
  const out = new Set<string>()
  let failures = 0
  return {
    failed(part, error, fields = {}) {
      const level = out.size === 0 ? 'warn' : 'debug'
      out.add(part)
      failures += 1
      logger[level](lost, { ...fields, error: describeThrown(error) })
    },
    worked(part) {
      if (!out.delete(part) || out.size > 0) return
      logger.info(back, { failures })
      failures = 0
    },
  }
}
