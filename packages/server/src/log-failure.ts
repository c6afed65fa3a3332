import type { Logger } from '@loam/core'
import type { Problem } from './problem.js'

/** Logs an answer that is the server's fault. Its cause may be a driver's error that quotes what was to be stored; that is no matter for a log. */
export function logFailure(logger: Logger, { requestId, code, status }: Problem, error: unknown) {
  if (status < 500) return
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
  logger.error('request-failed', { requestId, code, error: { name, message, stack } })
}
