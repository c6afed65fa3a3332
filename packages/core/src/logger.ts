/** Values that belong to a log line. No user content at `info` or above. */
export type LogFields = Readonly<Record<string, unknown>>

/** Where log lines go. Apps pass an implementation; libraries are silent by default. */
export interface Logger {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  /** A logger that adds `fields` to every line. */
  child(fields: LogFields): Logger
}

const ignore = () => {}

/** Says nothing. The default of every option that takes a logger. */
export const silentLogger: Logger = {
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
  child: () => silentLogger,
}
