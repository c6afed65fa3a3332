import type { Logger } from '@loam/core'
import type { LoamConfig } from '@loam/runtime'
import { destination, pino, type Logger as PinoLogger } from 'pino'

/** A logger that writes JSON lines to standard error, which leaves standard output to a command's results. */
export function createLogger(level: LoamConfig['logLevel']): Logger {
  const options = { level, serializers: { error: pino.stdSerializers.err } }
  return fromPino(pino(options, destination({ dest: 2, sync: true })))
}

function fromPino(log: PinoLogger): Logger {
  return {
    debug: (message, fields) => log.debug(fields ?? {}, message),
    info: (message, fields) => log.info(fields ?? {}, message),
    warn: (message, fields) => log.warn(fields ?? {}, message),
    error: (message, fields) => log.error(fields ?? {}, message),
    child: (fields) => fromPino(log.child(fields)),
  }
}
