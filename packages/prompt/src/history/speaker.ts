import { metadata } from '../safe-text.js'
import type { HistoryMessage, HistoryPart, HistoryTextPart } from './history-message.js'

/**
 * Puts the speaker's name in front of a user's message in a group. Lines of the message that look like such a name lose
 * that look, so that nobody can speak for another.
 */
export function withSpeaker<Part extends HistoryPart>(
  message: HistoryMessage<Part>,
): HistoryMessage<Part | HistoryTextPart> {
  if (message.role !== 'user') return message
  const { content } = message
  const speaker = speakerOf(message)
  const prefix = speaker === '' ? '' : `[${speaker}]: `
  if (content === null) return message
  if (typeof content === 'string') return { ...message, content: prefix + unmask(content) }
  const parts = content.map((part) =>
    part.text === undefined ? part : { ...part, text: unmask(part.text) },
  )
  const first = parts[0]
  if (prefix === '' || first === undefined) return { ...message, content: parts }
  if (first.type === 'text' && first.text !== undefined) {
    return { ...message, content: [{ ...first, text: prefix + first.text }, ...parts.slice(1)] }
  }
  return { ...message, content: [{ type: 'text', text: prefix.trimEnd() }, ...parts] }
}

function speakerOf({ name, senderId }: HistoryMessage): string {
  const shown = nameOf(name ?? '')
  return shown === '' ? nameOf(senderId ?? '') : shown
}

function nameOf(value: string): string {
  return metadata(value.replaceAll(/[[\]]/g, ' '))
}

function unmask(text: string): string {
  return text.replaceAll(SPEAKER_LIKE, '$1\\[')
}

const SPEAKER_LIKE = /^([^\S\n\r\u2028\u2029]*)\[(?=[^\]\n\r\u2028\u2029]{0,120}\]\s?:)/gm
