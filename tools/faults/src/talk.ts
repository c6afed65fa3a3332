import type { ApiClient } from './api-client.js'
import { ROUND_LENGTH, messagesOfRound } from './conversation.js'

/** The agent that all sessions of a world are with. */
export const AGENT = 'helper'

/** A session, and what of it was acknowledged. */
export interface Talk {
  readonly session: string
  readonly userId: string
  /** Rounds whose messages are stored. */
  rounds: number
  /** Runs that were accepted, in order. */
  readonly runs: {
    readonly runId: string
    readonly eventId: string
    readonly lastSequence: number
  }[]
}

/** Begins a number of sessions, which have no message yet. */
export function makeTalks(count: number, name = 's'): Talk[] {
  return Array.from({ length: count }, (_, index) => ({
    session: `${name}${index}`,
    userId: `user-${index % 5}`,
    rounds: 0,
    runs: [],
  }))
}

type Send = ApiClient['insist']

interface StoredMessages {
  readonly items: readonly { readonly sequence: number }[]
}

/** Stores the messages of the next round. */
export async function postMessages(talk: Talk, send: Send): Promise<void> {
  const { session, userId } = talk
  const round = talk.rounds + 1
  const messages = messagesOfRound(session, round)
  const { items } = await send<StoredMessages>({
    method: 'POST',
    path: `/agents/${AGENT}/sessions/${session}/messages`,
    body: { userId, messages },
  })
  const wanted = messages.map((_, index) => (round - 1) * ROUND_LENGTH + index + 1)
  const got = items.map(({ sequence }) => sequence)
  if (String(got) !== String(wanted)) {
    throw new Error(`Round ${round} of ${session} has the places ${String(got)}.`)
  }
  talk.rounds = round
}

/** Reports a run of what is stored. */
export async function postRun(talk: Talk, send: Send): Promise<void> {
  const { session, userId, runs, rounds } = talk
  const runId = `${session}-run-${runs.length + 1}`
  const accepted = await send<{ readonly eventId: string }>({
    method: 'POST',
    path: `/agents/${AGENT}/sessions/${session}/runs`,
    body: { userId, runId, status: 'completed' },
  })
  runs.push({ runId, eventId: accepted.eventId, lastSequence: rounds * ROUND_LENGTH })
}

/** Stores the messages of the next round and reports a run of them. */
export async function postRound(talk: Talk, send: Send): Promise<void> {
  await postMessages(talk, send)
  await postRun(talk, send)
}

/** Has several clients at once do something with each talk, each talk being one client's at a time. */
export async function withClients(
  count: number,
  talks: readonly Talk[],
  work: (talk: Talk, client: number) => Promise<void>,
): Promise<void> {
  const waiting = [...talks]
  await Promise.all(
    Array.from({ length: count }, async (_, client) => {
      for (let talk = waiting.shift(); talk; talk = waiting.shift()) await work(talk, client)
    }),
  )
}
