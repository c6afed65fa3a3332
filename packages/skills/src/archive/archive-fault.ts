import { InvalidInputError, LimitError } from '@loam/core'

/** A name as a message shows it: in quotes, with control characters escaped, and not too long. */
export function quotePath(path: string): string {
  return JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path)
}

/** Something is wrong with one entry of an archive, or with one path. */
export function entryFault(path: string, message: string, cause?: unknown): InvalidInputError {
  return new InvalidInputError({ message, issues: [{ path: path.slice(0, 200), message }], cause })
}

/** Something in an archive is larger than the named limit. */
export function limitFault(limit: string, most: number, message: string): LimitError {
  return new LimitError({ message, details: { limit, most } })
}
