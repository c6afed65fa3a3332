import type { ConversationClient, Place } from './conversation.js'
import type { MessageInput } from './message-input.js'

/** Most messages of one request. */
const MAX_MESSAGES = 1_000
/** Most characters of one request as JSON. In UTF-8 they are up to three times as many bytes, of which 10 MiB are allowed. */
const MAX_LENGTH = 3_000_000

/** Stores messages in order, in as many requests as that takes. */
export async function storeMessages(
  client: Pick<ConversationClient, 'storeMessages'>,
  place: Place,
  messages: readonly MessageInput[],
): Promise<void> {
  for (const batch of batches(messages)) {
    // oxlint-disable-next-line no-await-in-loop -- in order
    await client.storeMessages({ ...place, messages: batch })
  }
}

function batches(messages: readonly MessageInput[]): readonly MessageInput[][] {
  const all: MessageInput[][] = []
  let room = 0
  for (const message of messages) {
    const { length } = JSON.stringify(message)
    const last = all.at(-1)
    if (last === undefined || last.length === MAX_MESSAGES || length > room) {
      all.push([message])
      room = MAX_LENGTH - length
    } else {
      last.push(message)
      room -= length
    }
  }
  return all
}
