import { block } from '../safe-text.js'
import { isText, lines, type SectionContext } from './section.js'

/** How replies reach the chat. */
export function renderMessaging({ input }: SectionContext): string {
  const notes = typeof input.messaging === 'object' ? input.messaging.notes : undefined
  return lines(
    '## Messaging',
    '- Your reply goes to the current chat by itself. Write it as text; no tool is needed for it.',
    '- To write to another chat, or to attach a file, use a messaging tool if you have one. Never send messages through a shell, curl or a web address.',
    '- Do not say twice what you have already sent through a tool.',
    isText(notes) ? block('messaging_notes', notes) : undefined,
  )
}
