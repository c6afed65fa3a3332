import type { Logger } from '@loam/core'
import type { LoamConfig } from '@loam/runtime'
import { pino, type DestinationStream, type Logger as PinoLogger } from 'pino'

/** A logger that writes JSON lines to `destination`, by default standard output. */
export function createLogger(
  level: LoamConfig['logLevel'],
  destination?: DestinationStream,
): Logger {
  const options = {
    level,
    base: { service: 'loam-api' },
    serializers: { error: pino.stdSerializers.err },
  }
  return fromPino(destination === undefined ? pino(options) : pino(options, destination))
}

function fromPino(log: PinoLogger): Logger {
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
