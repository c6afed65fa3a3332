import type { AssembledMessage, HistoryPart, HistoryTextPart } from './history-message.js'

/** Joins neighbours of one role, tool calls and results apart. Pictures and files stay where they are. */
export function mergeMessages<Part extends HistoryPart>(
  messages: readonly AssembledMessage<Part>[],
): AssembledMessage<Part>[] {
  const merged: AssembledMessage<Part>[] = []
  // The pieces of the last message are collected first: to join them one by one would copy a long run again and again.
  let run: AssembledMessage<Part>[] = []
  const close = (): void => {
    const [first, second] = run
    if (first !== undefined) {
      merged.push(second === undefined ? first : { role: first.role, content: joinContents(run) })
    }
    run = []
  }
  for (const message of messages) {
    const last = run.at(-1)
    if (last !== undefined && !(isPlain(last) && isPlain(message) && last.role === message.role)) {
      close()
    }
    run.push(message)
  }
  close()
  return merged
}

function isPlain({ role, toolCalls }: AssembledMessage): boolean {
  return role !== 'tool' && toolCalls === undefined
}

function joinContents<Part extends HistoryPart>(
  messages: readonly AssembledMessage<Part>[],
): AssembledMessage<Part>['content'] {
  const contents = messages.map(({ content }) => content ?? '')
  if (contents.every((content) => typeof content === 'string')) return contents.join('\n\n')
  return contents.flatMap((content): readonly (Part | HistoryTextPart)[] =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : content,
  )
}
