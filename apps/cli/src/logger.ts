import type { Logger } from '@loam/core'
import type { LoamConfig } from '@loam/runtime'
import { createProcessLogger } from '@loam/server/process'

/** A logger that writes to standard error, which leaves standard output to a command's results. Readable lines by default. */
export function createLogger(
  level: LoamConfig['logLevel'],
  format: LoamConfig['logFormat'] = 'text',
): Logger {
  return createProcessLogger({ level, format, service: 'loam', destination: 'stderr' })
}
