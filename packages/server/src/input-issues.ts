import { InvalidInputError, toInputIssues, type InputIssue } from '@loam/core'
import type { z } from '@hono/zod-openapi'

/** Most faults that one answer lists. */
const MAX_ISSUES = 1000

/** What a schema found wrong with a request, as the error that every caller knows. */
export function toInvalidInput(error: z.core.$ZodError): InvalidInputError {
  const issues = toInputIssues(error)
  const shown = issues.slice(0, MAX_ISSUES)
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : ''
  return new InvalidInputError({
    message: `${sentence(issues[0])}${more}.`,
    issues: shown,
    ...(issues.length > shown.length && { details: { issueCount: issues.length } }),
  })
}

function sentence(issue: InputIssue | undefined): string {
  if (issue === undefined) return 'The input is invalid'
  return issue.path === '' ? issue.message : `${issue.path}: ${issue.message}`
}
