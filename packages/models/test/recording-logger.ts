import type { LogFields, Logger } from '@loam/core'

/** A logger that keeps what it is told. */
export function recordingLogger() {
  const lines: { level: string; message: string; fields: LogFields }[] = []
  const at =
    (level: string) =>
    (message: string, fields: LogFields = {}) => {
      lines.push({ level, message, fields })
    }
  const logger: Logger = {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: () => logger,
  }
  return { logger, lines }
}
