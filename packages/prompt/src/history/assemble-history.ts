import { block } from '../safe-text.js'
import {
  callsTools,
  hasContent,
  type AssembledMessage,
  type HistoryMessage,
  type HistoryPart,
  type HistoryTextPart,
} from './history-message.js'
import { limitTurns } from './limit-turns.js'
import { mergeMessages } from './merge-messages.js'
import { pairToolResults } from './pair-tool-results.js'
import { withSpeaker } from './speaker.js'

/** How a history is assembled. */
export interface AssembleHistoryOptions {
  /** How many user messages, counted from the end, are kept with what follows them. Default 0: all. */
  readonly limitTurns?: number | undefined
  /** Summary of what came before. Becomes a user and assistant pair in front. Default none. */
  readonly summary?: string | undefined
  /** Whether user messages are prefixed with their speaker's name, or else id. Default false. */
  readonly group?: boolean | undefined
}

/**
 * Makes of stored messages a history that every provider accepts (spec 2.4): each tool call with exactly its results, call
 * ids unique, neighbours of one role merged, nothing empty.
 *
 * @throws InvalidInputError for a limit that is not a whole number, or below 0.
 * @example
 * assembleHistory([{ role: 'user', content: 'Hi' }, { role: 'user', content: 'Are you there?' }])
 * // [{ role: 'user', content: 'Hi\n\nAre you there?' }]
 */
export function assembleHistory<Part extends HistoryPart>(
  messages: readonly HistoryMessage<Part>[],
  options: AssembleHistoryOptions = {},
): AssembledMessage<Part>[] {
  const { summary, group = false } = options
  const recent = limitTurns(messages, options.limitTurns ?? 0)
  const spoken = pairToolResults(recent)
    .filter((message) => hasContent(message) || message.role === 'tool' || callsTools(message))
    .map((message) => (group ? withSpeaker(message) : message))
    .map(forProvider)
  return mergeMessages([...summaryPair(summary), ...spoken])
}

// Display names are no valid `name` for any provider, so speakers are named in the text or not at all.
function forProvider<Part extends HistoryPart>(
  message: HistoryMessage<Part | HistoryTextPart>,
): AssembledMessage<Part> {
  const { role, toolCalls, toolCallId } = message
  if (role === 'tool') return { role, content: message.content, toolCallId: toolCallId ?? '' }
  if (!callsTools(message)) return { role, content: message.content }
  const content = hasContent(message) ? message.content : null
  return { role, content, toolCalls: toolCalls ?? [] }
}

function summaryPair(summary: string | undefined): AssembledMessage<never>[] {
  if (summary === undefined || summary.trim() === '') return []
  return [
    {
      role: 'user',
      content: `This is a summary of our conversation so far, as a record:\n${block('conversation_summary', summary)}`,
    },
    { role: 'assistant', content: 'Thank you. I will go on from there.' },
  ]
}
