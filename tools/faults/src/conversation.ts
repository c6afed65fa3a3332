/** Messages that a round of a conversation has: enough to make an episode of. */
export const ROUND_LENGTH = 4

/** A message as the API takes it. */
export interface TalkMessage {
  readonly id: string
  readonly role: 'user' | 'assistant'
  readonly content: string
}

/** The messages of a round; rounds count from 1. Each has a mark by which it is known again. */
export function messagesOfRound(session: string, round: number): TalkMessage[] {
  return Array.from({ length: ROUND_LENGTH }, (_, index) => {
    const number = (round - 1) * ROUND_LENGTH + index + 1
    return {
      id: messageId(session, number),
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `Message mark-${session}-${number} is about the ferry to Lisbon, the hotel by the river and the price of the tickets.`,
    }
  })
}

/** The id of a message, from its place in the session. */
export function messageId(session: string, number: number): string {
  return `${session}-message-${number}`
}

/** A message that is named in a text. */
export interface Mark {
  readonly session: string
  readonly number: number
}

/** The marks in a text, in order. */
export function marksIn(text: string): Mark[] {
  return [...text.matchAll(/mark-([a-z0-9]+)-(\d+)/g)].map(([, session = '', number]) => ({
    session,
    number: Number(number),
  }))
}

/** What the scripted model writes of a stretch. */
export function summaryOf(session: string, first: number, last: number): string {
  return `In the session ${session} the messages from ${first} to ${last} are about a ferry and a hotel.`
}
