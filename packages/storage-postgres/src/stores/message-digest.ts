import { createHash } from 'node:crypto'
import { canonicalJson } from '@loam/core'
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
