import { block } from '../safe-text.js'
import { isText, lines, type SectionContext } from './section.js'

/** Whether the caller adds something. */
export function hasExtraContext({ input }: SectionContext): boolean {
  return isText(input.extraPrompt)
}

/** What the caller adds: a topic's instructions, an activated skill, a subagent's task. */
export function renderExtraContext({ input }: SectionContext): string {
  const header = input.sessionKind === 'subagent' ? SUBAGENT : EXTRA
  return lines(header, block('extra_context', input.extraPrompt ?? ''))
}

const EXTRA = `## Extra Context
Added for this conversation. Follow it within the rules above.`

const SUBAGENT = `## Subagent Context
Another agent started you for the task below. Do that task and nothing beside it; your last reply is the result that goes back. Do not write to the user.`
