import { LoamError, describeThrown, hideUrlSecrets, type InputIssue } from '@loam/core'
import { ApiError } from './api/api-error.js'
import { inCommandWords, issueInCommandWords } from './command-words.js'
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
    return { code: error.code, message: inCommandWords(error.message), issues: error.issues }
  }
  if (LoamError.isInstance(error)) {
    const issues = 'issues' in error.details ? error.details['issues'] : undefined
    return {
      code: error.code,
      message: hideUrlSecrets(error.message),
      issues: Array.isArray(issues) ? (issues as InputIssue[]) : [],
    }
  }
  const file = describeFileError(error)
  if (file !== undefined) return file
  return {
    code: 'internal_error',
    message: error instanceof Error ? hideUrlSecrets(error.message) : describeThrown(error),
    issues: [],
  }
}

/** What the system says of a file, as a sentence. */
function describeFileError(error: unknown): ReportedError | undefined {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return undefined
  const place = 'path' in error && typeof error.path === 'string' ? `"${error.path}"` : undefined
  const told: Readonly<Record<string, readonly [code: string, message: string]>> = {
    ENOENT: ['not_found', `There is no file ${place ?? 'of that name'}. Check the path.`],
    ENOTDIR: ['not_found', `There is no file ${place ?? 'of that name'}. Check the path.`],
    EISDIR: ['invalid_input', `${place ?? 'The path'} is a folder. Name a file in it.`],
    EACCES: ['forbidden', `You may not open ${place ?? 'the file'}. Check its permissions.`],
    EPERM: ['forbidden', `You may not open ${place ?? 'the file'}. Check its permissions.`],
  }
  const [code, message] = told[String(error.code)] ?? []
  return code === undefined || message === undefined ? undefined : { code, message, issues: [] }
}

/** Prints an error: JSON on standard output with `--json`, else a sentence on standard error. */
export function reportError(error: unknown, output: Output): void {
  const described = describeError(error)
  if (output.json) {
    output.result({ error: described })
    return
  }
  output.note(`error: ${described.message} (${described.code})`)
  for (const issue of described.issues) {
    // A single issue usually repeats the message.
    if (described.message.includes(inCommandWords(issue.message))) continue
    output.note(`  ${issueInCommandWords(issue)}`)
  }
  if (described.code === 'internal_error' && process.env['LOAM_LOG_LEVEL'] === 'debug') {
    output.note(error instanceof Error ? hideUrlSecrets(error.stack ?? '') : '')
  }
}
