import type { z } from 'zod'
import type { InputIssue } from './errors.js'

/** Most characters of a name that an issue repeats; longer ones are cut. */
const MAX_NAME_LENGTH = 100

type Issue = z.core.$ZodIssue

/** What a schema found wrong with an input, in words for people who know neither the schema nor its library. */
export function toInputIssues(error: z.core.$ZodError): readonly InputIssue[] {
  return error.issues.flatMap((issue) => describeIssue(issue, []))
}

function describeIssue(issue: Issue, parent: readonly PropertyKey[]): InputIssue[] {
  const path = [...parent, ...issue.path]
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: toPath([...path, key]), message: 'Unknown field' }))
  }
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const branch = nearestBranch(issue.errors)
    if (branch !== undefined) return branch.flatMap((inner) => describeIssue(inner, path))
    const isPlain = !OF_THE_LIBRARY.test(issue.message)
    const message = isPlain ? issue.message : describeUnion(issue.errors.flat())
    return [{ path: toPath(path), message }]
  }
  return [{ path: toPath(path), message: describe(issue) }]
}

/** The branch of a union whose type the input has; undefined when it has none of them. */
function nearestBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  return branches.find((branch) =>
    branch.some(({ code, path }) => path.length > 0 || code !== 'invalid_type'),
  )
}

function describeUnion(issues: readonly Issue[]): string {
  if (issues.every(isMissing)) return 'Is required'
  const expected = issues.flatMap((issue) =>
    'expected' in issue ? [nameOf(String(issue.expected))] : [],
  )
  return `Must be ${list(expected)}`
}

function describe(issue: Issue): string {
  // What the schema itself says is meant for people already.
  if (!OF_THE_LIBRARY.test(issue.message)) return issue.message
  switch (issue.code) {
    case 'invalid_type':
      return describeType(issue)
    case 'invalid_value':
      return `Must be ${list(issue.values.map((value) => JSON.stringify(value) ?? String(value)))}`
    case 'too_small':
      return describeMinimum(issue)
    case 'too_big':
      return describeMaximum(issue)
    case 'not_multiple_of':
      return `Must be a multiple of ${issue.divisor}`
    case 'invalid_format':
      return FORMATS[issue.format] ?? `Must be a valid ${issue.format}`
    default:
      return 'Is not valid'
  }
}

/** How the library begins its own messages. */
const OF_THE_LIBRARY = /^(?:Invalid|Too (?:small|big))\b/

function isMissing(issue: Issue): boolean {
  return issue.code === 'invalid_type' && issue.message.endsWith('received undefined')
}

function describeType(issue: Extract<Issue, { code: 'invalid_type' }>): string {
  if (isMissing(issue)) return 'Is required'
  const received = /received (\w+)$/.exec(issue.message)?.[1]
  const is = received === undefined ? '' : `, and is ${nameOf(received)}`
  return `Must be ${nameOf(issue.expected)}${is}`
}

type Minimum = Extract<Issue, { code: 'too_small' }>

function describeMinimum({ origin, minimum, inclusive = true }: Minimum): string {
  const least = inclusive ? String(minimum) : `more than ${minimum}`
  if (origin === 'string') {
    return Number(minimum) <= 1 ? 'May not be empty' : `Must have ${least} characters or more`
  }
  if (origin === 'array' || origin === 'set') {
    return Number(minimum) <= 1 ? 'May not be empty' : `Must hold ${least} items or more`
  }
  return inclusive ? `Must be ${least} or more` : `Must be ${least}`
}

type Maximum = Extract<Issue, { code: 'too_big' }>

function describeMaximum({ origin, maximum, inclusive = true }: Maximum): string {
  const plural = maximum === 1 ? '' : 's'
  if (origin === 'string') return `May have ${maximum} character${plural} at most`
  if (origin === 'array' || origin === 'set') return `May hold ${maximum} item${plural} at most`
  return inclusive ? `Must be ${maximum} or less` : `Must be less than ${maximum}`
}

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'Must be a UUID',
  url: 'Must be a URL',
  datetime: 'Must be a moment in ISO 8601, such as 2026-11-30T09:00:00Z',
  date: 'Must be a day in ISO 8601, such as 2026-11-30',
  regex: 'Has another form than is asked for',
}

const NAMES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  undefined: 'missing',
  nan: 'no number',
  NaN: 'no number',
}

function nameOf(type: string): string {
  return NAMES[type] ?? type
}

function list(values: readonly string[]): string {
  const [only = 'another value'] = values
  return values.length < 2 ? only : `one of: ${values.join(', ')}`
}

function toPath(path: readonly PropertyKey[]): string {
  return path.map((name) => cut(String(name))).join('.')
}

function cut(name: string): string {
  if (name.length <= MAX_NAME_LENGTH) return name
  // Half of a surrogate pair is no character.
  return `${name.slice(0, MAX_NAME_LENGTH).replace(/[\uD800-\uDBFF]$/, '')}…`
}
