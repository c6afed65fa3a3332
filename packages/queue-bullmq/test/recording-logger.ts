import type { LogFields, Logger } from '@loam/core'

/** A logger that keeps what it is told. */
export interface RecordingLogger extends Logger {
  /** Level and message of each line. */
  readonly lines: readonly string[]
  /** All that was logged, as text. */
  text(): string
}

/** Makes a logger that keeps what it is told. */
export function createRecordingLogger(): RecordingLogger {
  const entries: { level: string; message: string; fields: LogFields | undefined }[] = []
  const at = (level: string) => (message: string, fields?: LogFields) => {
    entries.push({ level, message, fields })
  }
  const logger: RecordingLogger = {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: () => logger,
    get lines() {
      return entries.map(({ level, message }) => `${level} ${message}`)
    },
    text: () => JSON.stringify(entries),
  }
  return logger
}
