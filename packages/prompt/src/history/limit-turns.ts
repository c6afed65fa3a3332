import { InvalidInputError } from '@loam/core'
import type { HistoryMessage } from './history-message.js'

/**
 * The messages from the `limit`th user message from the end on; all for 0.
 *
 * @throws InvalidInputError for a limit that is not a whole number, or below 0.
 */
export function limitTurns<Message extends HistoryMessage>(
  messages: readonly Message[],
  limit: number,
): readonly Message[] {
  if (!Number.isInteger(limit) || limit < 0) {
    const message = `${limit} is no number of turns. Use a whole number, or 0 for all.`
    throw new InvalidInputError({
      message: `limitTurns: ${message}`,
      issues: [{ path: 'limitTurns', message }],
    })
  }
  if (limit === 0) return messages
  let turns = 0
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    if (messages[index]?.role === 'user') turns += 1
    if (turns === limit) return messages.slice(index)
  }
  return messages
}
