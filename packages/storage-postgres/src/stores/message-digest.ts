import { createHash } from 'node:crypto'
import type { NewMessage } from '@loam/storage'

/**
 * Tells whether two messages with one id are the same. The time is left out: a client that sends a message again may
 * have let the server choose it.
 */
export function messageDigest(message: NewMessage): string {
  const { role, content, name, senderId, toolCalls, toolCallId, origin, metadata } = message
  const identity = { role, content, name, senderId, toolCalls, toolCallId, origin, metadata }
  return createHash('sha256').update(canonicalJson(identity)).digest('hex')
}

/** JSON with the keys of every object in order, so that equal values give equal texts. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  )
}
