import {
  callsTools,
  type HistoryMessage,
  type HistoryPart,
  type HistoryToolCall,
} from './history-message.js'

/** What stands for a result that was never stored. */
export const MISSING_RESULT = '[The result of this call was not recorded.]'

interface CallSlot<Part extends HistoryPart> {
  readonly call: HistoryToolCall
  result: HistoryMessage<Part> | undefined
}

/**
 * Puts behind each message with tool calls exactly its results, in the order of the calls. A missing one is made up, one
 * without a call is dropped, and ids that come twice are made unique on both sides.
 *
 * A result belongs to the latest call of its id that has none yet, also when other messages came in between.
 */
export function pairToolResults<Part extends HistoryPart>(
  messages: readonly HistoryMessage<Part>[],
): HistoryMessage<Part>[] {
  const uniqueId = idMaker(messages)
  const waiting = new Map<string, CallSlot<Part>[]>()
  const kept: { message: HistoryMessage<Part>; slots: CallSlot<Part>[] }[] = []
  for (const message of messages) {
    if (message.role === 'tool') {
      const slot = waiting.get(message.toolCallId ?? '')?.shift()
      if (slot !== undefined) slot.result = message
    } else if (callsTools(message)) {
      const slots = openSlots(message.toolCalls ?? [], uniqueId, waiting)
      kept.push({ message, slots })
    } else {
      kept.push({ message, slots: [] })
    }
  }
  return kept.flatMap(({ message, slots }) =>
    slots.length === 0
      ? [message]
      : [{ ...message, toolCalls: slots.map(({ call }) => call) }, ...slots.map(resultOf)],
  )
}

function openSlots<Part extends HistoryPart>(
  calls: readonly HistoryToolCall[],
  uniqueId: (id: string) => string,
  waiting: Map<string, CallSlot<Part>[]>,
): CallSlot<Part>[] {
  const byId = new Map<string, CallSlot<Part>[]>()
  const slots = calls.map((call) => {
    const slot: CallSlot<Part> = { call: { ...call, id: uniqueId(call.id) }, result: undefined }
    byId.set(call.id, [...(byId.get(call.id) ?? []), slot])
    return slot
  })
  for (const [id, open] of byId) waiting.set(id, open)
  return slots
}

function resultOf<Part extends HistoryPart>({
  call,
  result,
}: CallSlot<Part>): HistoryMessage<Part> {
  return { role: 'tool', content: result?.content ?? MISSING_RESULT, toolCallId: call.id }
}

/** Gives an id as it is the first time, and with a suffix that no other id has after that. */
function idMaker(messages: readonly HistoryMessage[]): (id: string) => string {
  const taken = new Set(messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id)))
  const used = new Set<string>()
  const counts = new Map<string, number>()
  return (id) => {
    let unique = id === '' ? 'call' : id
    let count = counts.get(id) ?? 1
    while (used.has(unique) || (unique !== id && taken.has(unique))) {
      count += 1
      unique = `${id === '' ? 'call' : id}_${count}`
    }
    counts.set(id, count)
    used.add(unique)
    return unique
  }
}
