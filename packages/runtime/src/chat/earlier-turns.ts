import type { Scope } from '@loam/core'
import type { MessageInput } from '@loam/memory'
import type { Message, MessageStore, Storage } from '@loam/storage'
import type { ChatTurnResult } from './chat-turn.js'

/** How far back is looked for what was not answered: at first, since an answer is nearly always among these, and at most. */
const RECENT_LENGTH = 10
const TAIL_LENGTH = 200

/** What is stored of a session before a turn begins. */
export interface EarlierTurns {
  /** The session, if there is one yet. */
  readonly sessionId: string | undefined
  /** The answer to this very turn, when it was sent before. */
  readonly answer: ChatTurnResult | undefined
  /** What was said since the last answer: turns that failed, or were cancelled. */
  readonly unanswered: readonly Message[]
}

/** The id under which the answer to a turn is stored. */
export function answerId(turnId: string): string {
  return `${turnId}/answer`
}

/** Reads what a turn has to know of those before it. */
export function readEarlierTurns(
  storage: Pick<Storage, 'transaction'>,
  { tenantId, agentId, userId }: Scope,
  sessionKey: string,
  turnId: string | undefined,
): Promise<EarlierTurns> {
  return storage.transaction(
    { tenantId, userId },
    async ({ sessions, messages }) => {
      const session = await sessions.findByKey(agentId, sessionKey)
      if (session === undefined) return { sessionId: undefined, answer: undefined, unanswered: [] }
      const [found, unanswered] = await Promise.all([
        turnId === undefined ? undefined : findById(messages, session.id, answerId(turnId)),
        readUnanswered(messages, session.id),
      ])
      return { sessionId: session.id, answer: found && toResult(found), unanswered }
    },
    { readOnly: true },
  )
}

async function readUnanswered(
  messages: MessageStore,
  sessionId: string,
  limit = RECENT_LENGTH,
): Promise<readonly Message[]> {
  const { items, nextCursor } = await messages.list(sessionId, { limit, newestFirst: true })
  const last = items.findIndex(({ role }) => role === 'assistant')
  if (last !== -1) return items.slice(0, last).toReversed()
  const isAll = nextCursor === undefined || limit === TAIL_LENGTH
  return isAll ? items.toReversed() : await readUnanswered(messages, sessionId, TAIL_LENGTH)
}

/**
 * The messages that are not stored yet. A client that got no answer sends what was said again, alone or before what it says
 * next; so its messages may begin with those at the end of the store.
 */
export function notStoredYet(
  messages: readonly MessageInput[],
  unanswered: readonly Message[],
): readonly MessageInput[] {
  const longest = Math.min(messages.length, unanswered.length)
  for (let length = longest; length > 0; length -= 1) {
    const end = unanswered.slice(-length)
    if (end.every((message, index) => saysTheSame(message, messages[index]))) {
      return messages.slice(length)
    }
  }
  return messages
}

function saysTheSame(stored: Message, given: MessageInput | undefined): boolean {
  return (
    given !== undefined &&
    stored.role === given.role &&
    stored.toolCallId === given.toolCallId &&
    JSON.stringify(stored.content) === JSON.stringify(given.content)
  )
}

async function findById(
  messages: MessageStore,
  sessionId: string,
  id: string,
): Promise<Message | undefined> {
  const stored = await messages.storedIds(sessionId, [id])
  if (stored.size === 0) return undefined
  for (let cursor: string | undefined; ;) {
    const page = await messages.list(sessionId, { limit: TAIL_LENGTH, cursor, newestFirst: true })
    const found = page.items.find((message) => message.id === id)
    if (found !== undefined || page.nextCursor === undefined) return found
    cursor = page.nextCursor
  }
}

function toResult({ content, toolCalls = [] }: Message): ChatTurnResult {
  return {
    text: typeof content === 'string' ? content : '',
    toolCalls,
    finishReason: toolCalls.length > 0 ? 'tool_calls' : 'stop',
    usage: undefined,
    warnings: [],
  }
}
