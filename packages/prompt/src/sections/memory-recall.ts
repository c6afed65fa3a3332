import { oneLine } from '../safe-text.js'
import { hasTool, lines, type SectionContext } from './section.js'

/** Only with tools to recall by: their names begin with `memory_`. */
export function hasMemoryTools({ input }: SectionContext): boolean {
  return input.tools?.some(({ name }) => name.startsWith('memory_')) ?? false
}

/** When to look into memory, and which tool opens which tier (spec 4.6, 5.8). One line without a heading in mode task. */
export function renderMemoryRecall(context: SectionContext): string {
  if (context.mode !== 'full') {
    return `Before you rely on earlier decisions, dates, people or preferences, look them up with \`${searchTool(context)}\`.`
  }
  const has = (name: string): boolean => hasTool(context, name)
  return lines(
    '## Memory Recall',
    'Before you answer about earlier work, decisions, dates, people, preferences or open tasks, look them up. Do not guess, and do not rely on the visible conversation alone.',
    '1. Recalled memories in this prompt, if there are any: use them first.',
    `2. \`${searchTool(context)}\`: search documents and summaries of earlier conversations, in the words the user would use.`,
    has('memory_get')
      ? '3. `memory_get`: read the lines of a document around a hit, rather than the whole document.'
      : undefined,
    has('memory_expand')
      ? `${has('memory_get') ? 4 : 3}. \`memory_expand\`: open the full summary behind an episode, by its id.`
      : undefined,
    'If you looked and found nothing, say so. Mention where a fact comes from when that helps the user.',
  )
}

function searchTool(context: SectionContext): string {
  if (hasTool(context, 'memory_search')) return 'memory_search'
  const names = (context.input.tools ?? []).map(({ name }) => name)
  const first = names.filter((name) => name.startsWith('memory_')).toSorted()[0]
  return oneLine(first ?? 'memory_search', 128)
}
