import { createHash } from 'node:crypto'
import { PreconditionFailedError } from '@loam/core'

/** What names one state of a text: its version, and its content, since a text that was deleted begins with version 1 again. */
export function entityTag({
  version,
  content,
}: {
  readonly version: number
  readonly content: string
}): string {
  return `"${version}-${createHash('sha256').update(content).digest('hex').slice(0, 16)}"`
}

/**
 * Makes the check that an `If-Match` header asks for; undefined without one. `*` stands for any state, but for none at all.
 *
 * @throws PreconditionFailedError from the check, when something else is stored.
 */
export function checkOfMatch(
  header: string | undefined,
): ((present: Parameters<typeof entityTag>[0] | undefined) => void) | undefined {
  if (header === undefined) return undefined
  // Proxies that compress an answer make its tag a weak one.
  const tags = new Set(header.split(',').map((tag) => tag.trim().replace(/^W\//, '')))
  return (present) => {
    const isMatch = present !== undefined && (tags.has('*') || tags.has(entityTag(present)))
    if (isMatch) return
    throw new PreconditionFailedError({
      message:
        present === undefined
          ? 'There is no such file any more, and If-Match names one. Leave If-Match out to make it.'
          : 'The file has been changed since it was read. Read it again, and send its new ETag as If-Match.',
    })
  }
}
