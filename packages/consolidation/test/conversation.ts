import type { Message } from '@loam/storage'

/** A message of a conversation, with what a test wants to differ. */
export function message(
  sequence: number,
  content: Message['content'],
  more: Partial<Message> = {},
): Message {
  return {
    id: `m${sequence}`,
    sessionId: 'session',
    sequence,
    role: sequence % 2 === 1 ? 'user' : 'assistant',
    origin: 'conversation',
    createdAt: new Date(Date.UTC(2026, 4, 1, 10, sequence)),
    content,
    ...more,
  }
}

/** `count` different words. */
export function words(count: number, seed = 'word'): string {
  return Array.from({ length: count }, (_, index) => `${seed}${index}`).join(' ')
}
