import type { LogFields, Logger } from './logger.js'

/** What a calm warning is made of. */
export interface CalmWarningOptions {
  readonly logger: Logger
  readonly message: string
  /** After a warning about something, further ones about it are said at debug for this long. Default a minute. */
  readonly quietMs?: number | undefined
  /** Milliseconds of a clock. Default: the machine's. */
  readonly now?: (() => number) | undefined
}

const QUIET_MS = 60_000

/** Makes a warning that may come many times a second, and stands in the log once a minute for each thing it is about. */
export function createCalmWarning({
  logger,
  message,
  quietMs = QUIET_MS,
  now = Date.now,
}: CalmWarningOptions): (about: string, fields: LogFields) => void {
  const quietUntil = new Map<string, number>()
  return (about, fields) => {
    const isQuiet = now() < (quietUntil.get(about) ?? Number.NEGATIVE_INFINITY)
    if (!isQuiet) quietUntil.set(about, now() + quietMs)
    logger[isQuiet ? 'debug' : 'warn'](message, fields)
  }
}
