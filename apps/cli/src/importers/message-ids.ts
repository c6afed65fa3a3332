import { createHash } from 'node:crypto'
import type { ImportedMessage } from './import-record.js'

/**
 * Gives ids to messages that have none, the same ones each time a file is read: a hash of session, speaker, text and
 * time, and how many equal messages the session had before. So a file that has grown can be imported again.
 */
export function createMessageIds(): (sessionKey: string, message: ImportedMessage) => string {
  const seen = new Map<string, number>()
  return (sessionKey, message) => {
    const identity = [sessionKey, message.role, message.name, message.content, message.toolCalls]
    const hash = createHash('sha256')
      .update(JSON.stringify([...identity, message.toolCallId, message.createdAt]))
      .digest('hex')
      .slice(0, 24)
    const occurrence = (seen.get(hash) ?? 0) + 1
    seen.set(hash, occurrence)
    return occurrence === 1 ? `import-${hash}` : `import-${hash}-${occurrence}`
  }
}
