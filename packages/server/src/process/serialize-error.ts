import { describeThrown, hideUrlSecrets } from '@loam/core'

/** An error as it stands in a log. */
export interface LoggedError {
  /** Its class, or what kind of thing was thrown. */
  readonly type: string
  readonly message: string
  readonly code?: string
  readonly stack?: string
  readonly cause?: LoggedError
}

/** An error may be caused by one that is caused by it. */
const MAX_CAUSES = 4

/**
 * The form that the field `error` has in a log, for whatever was thrown. Of the fields of an error only the known ones are
 * taken: drivers put passwords, statements and users' texts into others.
 */
export function serializeError(thrown: unknown, depth = 0): LoggedError | string {
  if (typeof thrown === 'string') return hideUrlSecrets(thrown)
  return toLogged(thrown, depth)
}

function toLogged(thrown: unknown, depth: number): LoggedError {
  if (typeof thrown !== 'object' || thrown === null) {
    return { type: thrown === null ? 'null' : typeof thrown, message: describeThrown(thrown) }
  }
  const { name, message, code, stack, cause } = thrown as Readonly<Record<string, unknown>>
  if (typeof message !== 'string') {
    return { type: thrown.constructor?.name ?? 'Object', message: describeThrown(thrown) }
  }
  return {
    type: typeof name === 'string' ? name : 'Error',
    message: hideUrlSecrets(message),
    ...(typeof code === 'string' && { code }),
    ...(typeof stack === 'string' && { stack: hideUrlSecrets(stack) }),
    ...(cause !== undefined && depth < MAX_CAUSES && { cause: toLogged(cause, depth + 1) }),
  }
}
