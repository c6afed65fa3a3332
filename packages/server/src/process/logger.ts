import type { Logger } from '@loam/core'
import { destination as openDestination, pino, type Logger as PinoLogger } from 'pino'
import { readableLine } from './readable-line.js'
import { serializeError } from './serialize-error.js'

/** What a log says of where it comes from, how it says it, and where it goes. */
export interface ProcessLoggerOptions {
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** JSON for machines, or text for people: one line each. */
  readonly format: 'json' | 'text'
  /** Stands in every line of JSON, such as `loam-worker`. */
  readonly service?: string | undefined
  /** Default: standard output. */
  readonly destination?: { write(line: string): void } | 'stdout' | 'stderr' | undefined
}

/** The logger of a process: every line has the same format. */
export function createProcessLogger({
  level,
  format,
  service,
  destination = 'stdout',
}: ProcessLoggerOptions): Logger {
  const out =
    typeof destination === 'object'
      ? destination
      : openDestination({ dest: destination === 'stdout' ? 1 : 2, sync: true })
  const base = service === undefined || format === 'text' ? null : { service }
  const options = { level, base, serializers: { error: serializeError } }
  const lines =
    format === 'json' ? out : { write: (line: string) => out.write(`${readableLine(line)}\n`) }
  return fromPino(pino(options, lines))
}

/** Lets a logger of pino be used where Loam wants one. */
export function fromPino(log: PinoLogger): Logger {
  return {
    debug: (message, fields = {}) => {
      log.debug(fields, message)
    },
    info: (message, fields = {}) => {
      log.info(fields, message)
    },
    warn: (message, fields = {}) => {
      log.warn(fields, message)
    },
    error: (message, fields = {}) => {
      log.error(fields, message)
    },
    child: (fields) => fromPino(log.child(fields)),
  }
}
