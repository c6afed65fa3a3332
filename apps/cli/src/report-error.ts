import { LoamError, describeThrown, hideUrlSecrets, type InputIssue } from '@loam/core'
import { ApiError } from './api/api-error.js'
import type { Output } from './output.js'

/** An error as a command prints it. */
export interface ReportedError {
  readonly code: string
  readonly message: string
  readonly issues: readonly InputIssue[]
}

/** The printable form of anything that was thrown. */
export function describeError(error: unknown): ReportedError {
  if (error instanceof ApiError) {
    return { code: error.code, message: error.message, issues: error.issues }
  }
  if (LoamError.isInstance(error)) {
    const issues = 'issues' in error.details ? error.details['issues'] : undefined
    return {
      code: error.code,
      message: hideUrlSecrets(error.message),
      issues: Array.isArray(issues) ? (issues as InputIssue[]) : [],
    }
  }
  return {
    code: 'internal_error',
    message: error instanceof Error ? hideUrlSecrets(error.message) : describeThrown(error),
    issues: [],
  }
}

/** Prints an error: JSON on standard output with `--json`, else a sentence on standard error. */
export function reportError(error: unknown, output: Output): void {
  const described = describeError(error)
  if (output.json) {
    output.result({ error: described })
    return
  }
  output.note(`error: ${described.message} (${described.code})`)
  for (const { path, message } of described.issues) {
    // A single issue usually repeats the message.
    if (!described.message.includes(message)) output.note(`  ${path ? `${path}: ` : ''}${message}`)
  }
  if (described.code === 'internal_error' && process.env['LOAM_LOG_LEVEL'] === 'debug') {
    output.note(error instanceof Error ? hideUrlSecrets(error.stack ?? '') : '')
  }
}
