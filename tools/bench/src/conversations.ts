import type { Corpus, CorpusMessage } from './corpus.js'
import type { JsonClient } from './json-client.js'

/** Conversations, and users whom they are spread over; fewer when fewer are asked for. */
const CONVERSATIONS = 40
const USERS = 8
/** Messages of a session when the measuring begins. */
const MESSAGES = 6
/** Turns that a first meeting lasts at most. */
const MEETING_TURNS = 5

/** A conversation that has begun. */
export interface Conversation {
  readonly userId: string
  readonly session: string
  readonly messages: readonly CorpusMessage[]
}

/**
 * Begins conversations of several users with an agent, whose first meetings are over.
 *
 * @throws Error when the agent still meets one of them for the first time.
 */
export async function beginConversations(
  client: JsonClient,
  options: { readonly agent: string; readonly corpus: Corpus; readonly atMost: number },
): Promise<readonly Conversation[]> {
  const { agent, corpus, atMost } = options
  const path = `/v1/agents/${agent}`
  const conversations = Array.from({ length: Math.min(CONVERSATIONS, atMost) }, (_, index) => ({
    userId: `user-${index % USERS}`,
    session: `conversation-${index}`,
    messages: corpus.messages(index * MESSAGES, MESSAGES),
  }))
  for (const [index, { userId, session, messages }] of conversations.entries()) {
    if (index < USERS) await endMeeting(client, path, userId)
    await client.post(`${path}/sessions/${session}/messages`, { userId, messages })
  }
  return conversations
}

async function endMeeting(client: JsonClient, path: string, userId: string): Promise<void> {
  for (let turn = 0; turn <= MEETING_TURNS; turn += 1) {
    const { firstRun } = await client.post<{ firstRun: boolean }>(`${path}/context`, {
      userId,
      turnId: `meeting-${turn}`,
    })
    if (!firstRun) return
  }
  throw new Error(`The first meeting with ${userId} did not end in ${MEETING_TURNS} turns.`)
}
