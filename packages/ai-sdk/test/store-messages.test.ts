import { expect, it } from 'vitest'
import type { ConversationClient } from '../src/conversation.js'
import type { MessageInput } from '../src/message-input.js'
import { storeMessages } from '../src/store-messages.js'

it.each([
  ['nothing', 0, 1, []],
  ['few messages', 3, 10, [3]],
  ['more messages than a request may have', 2_001, 10, [1_000, 1_000, 1]],
  ['messages that are too long together', 7, 1_000_000, [2, 2, 2, 1]],
])('stores %s in order, in as many requests as that takes', async (_, count, length, sizes) => {
  const sent: (readonly MessageInput[])[] = []
  const client: Pick<ConversationClient, 'storeMessages'> = {
    async storeMessages({ messages }) {
      sent.push(messages)
      return {} as never
    },
  }
  const content = 'x'.repeat(length)
  const messages = Array.from({ length: count }, (__, index) => ({
    id: `${index}`,
    role: 'user' as const,
    content,
  }))
  await storeMessages(client, { agent: 'a', userId: 'ana', session: 's' }, messages)
  expect(sent.map((batch) => batch.length)).toStrictEqual(sizes)
  expect(sent.flat()).toStrictEqual(messages)
})
