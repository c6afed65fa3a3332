import { oneLine } from '../safe-text.js'
import { isText, lines, type SectionContext } from './section.js'

/** What to answer when there is nothing to say. */
export function renderSilentReplies({ input }: SectionContext): string {
  const { silentToken } = input
  if (silentToken === false) return ''
  const token = isText(silentToken) ? oneLine(silentToken, 100) : 'NO_REPLY'
  return lines(
    '## Silent Replies',
    `When there is nothing to say, reply with exactly: ${token}`,
    'It is the whole reply then, without quotes or markup. Never put it into a reply that says something.',
  )
}
