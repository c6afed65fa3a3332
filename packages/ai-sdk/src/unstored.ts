import type { ConversationClient, Place } from './conversation.js'
import type { MessageInput } from './message-input.js'

/** How far back is looked for what was not answered. */
const TAIL_LENGTH = 200
/** All fields of a part, in one order. */
const PART_FIELDS = ['type', 'text', 'url', 'caption', 'name', 'mediaType']

type Stored = Awaited<ReturnType<ConversationClient['listMessages']>>['items'][number]

/**
 * The messages that are not stored yet. Who got no answer says it again, alone or before what they say next; so messages may
 * begin with those at the end of the session that no answer follows.
 */
export async function unstored(
  client: Pick<ConversationClient, 'listMessages'>,
  place: Place,
  messages: readonly MessageInput[],
): Promise<readonly MessageInput[]> {
  const unanswered = await readUnanswered(client, place)
  const longest = Math.min(messages.length, unanswered.length)
  for (let length = longest; length > 0; length -= 1) {
    const end = unanswered.slice(-length)
    if (end.every((stored, index) => saysTheSame(stored, messages[index]))) {
      return messages.slice(length)
    }
  }
  return messages
}

async function readUnanswered(
  client: Pick<ConversationClient, 'listMessages'>,
  place: Place,
): Promise<readonly Stored[]> {
  const newest = { ...place, order: 'desc', limit: TAIL_LENGTH } as const
  const items = await client.listMessages(newest).then((page) => page.items, nothingWhereNoSession)
  const last = items.findIndex(({ role }) => role === 'assistant')
  return (last === -1 ? items : items.slice(0, last)).toReversed()
}

function nothingWhereNoSession(error: unknown): readonly Stored[] {
  if ((error as { readonly status?: unknown }).status === 404) return []
  throw error
}

function saysTheSame(stored: Stored, given: MessageInput | undefined): boolean {
  return (
    given !== undefined &&
    stored.role === given.role &&
    stored.toolCallId === given.toolCallId &&
    canonical(stored.content) === canonical(given.content)
  )
}

/** The same text for the same content: a database gives the fields of a part in an order of its own. */
function canonical(content: MessageInput['content']): string {
  return JSON.stringify(content, PART_FIELDS)
}
