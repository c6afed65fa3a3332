import type { Logger } from '@loam/core'
import { pino, type DestinationStream, type Logger as PinoLogger } from 'pino'

/** What a log says of where it comes from, and where it goes. */
export interface JsonLoggerOptions {
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** Stands in every line, such as `loam-worker`. */
  readonly service: string
  /** Default: standard output. */
  readonly destination?: DestinationStream | undefined
}

/** A logger for a process that runs unattended: JSON lines. */
export function createJsonLogger({ level, service, destination }: JsonLoggerOptions): Logger {
  const options = { level, base: { service }, serializers: { error: pino.stdSerializers.err } }
  return fromPino(destination === undefined ? pino(options) : pino(options, destination))
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
