import { InvalidInputError, type InputIssue } from '@loam/core'
import type { z } from '@hono/zod-openapi'

/** Most faults that one answer lists. */
const MAX_ISSUES = 1000
/** Most characters of a name that an answer repeats; longer ones are cut. */
const MAX_NAME_LENGTH = 100

type Issue = z.core.$ZodIssue

/** What a schema found wrong with a request, as the error that every caller knows. */
export function toInvalidInput(error: z.core.$ZodError): InvalidInputError {
  const issues = error.issues.flatMap((issue) => describeIssue(issue, []))
  const shown = issues.slice(0, MAX_ISSUES)
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : ''
  return new InvalidInputError({
    message: `${sentence(issues[0])}${more}.`,
    issues: shown,
    ...(issues.length > shown.length && { details: { issueCount: issues.length } }),
  })
}

function describeIssue(issue: Issue, parent: readonly PropertyKey[]): InputIssue[] {
  const path = [...parent, ...issue.path]
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: toPath([...path, key]), message: 'Unknown field' }))
  }
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const branch = nearestBranch(issue.errors)
    if (branch !== undefined) return branch.flatMap((inner) => describeIssue(inner, path))
    if (issue.errors.flat().every(isMissing))
      return [{ path: toPath(path), message: 'Is required' }]
    const expected = issue.errors
      .flat()
      .flatMap((inner) => ('expected' in inner ? [inner.expected] : []))
    return [{ path: toPath(path), message: `Must be one of: ${expected.join(', ')}` }]
  }
  return [{ path: toPath(path), message: isMissing(issue) ? 'Is required' : issue.message }]
}

function isMissing(issue: Issue): boolean {
  return issue.code === 'invalid_type' && issue.message.endsWith('received undefined')
}

/** The branch of a union whose type the input has; undefined when it has none of them. */
function nearestBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  return branches.find((branch) =>
    branch.some(({ code, path }) => path.length > 0 || code !== 'invalid_type'),
  )
}

function toPath(path: readonly PropertyKey[]): string {
  return path.map((name) => cut(String(name))).join('.')
}

function cut(name: string): string {
  if (name.length <= MAX_NAME_LENGTH) return name
  // Half of a surrogate pair is no character.
  return `${name.slice(0, MAX_NAME_LENGTH).replace(/[\uD800-\uDBFF]$/, '')}…`
}

function sentence(issue: InputIssue | undefined): string {
  if (issue === undefined) return 'The input is invalid'
  return issue.path === '' ? issue.message : `${issue.path}: ${issue.message}`
}
