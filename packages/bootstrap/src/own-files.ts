import type { Agent } from '@loam/storage'
import { TEMPLATE_FILE_NAMES, type ContextFile } from './file-names.js'

/** What a user of an agent may have of their own (seed, section 4). */
const OWN_NAMES: Readonly<Record<Agent['type'], ReadonlySet<string>>> = {
  open: new Set(TEMPLATE_FILE_NAMES),
  predefined: new Set(['USER.md', 'BOOTSTRAP.md']),
}

/**
 * Those of a user's stored files that count. What they wrote while the agent was open does not change one that has become
 * predefined, and an empty copy of a predefined agent's file does not replace it (spec 01, 1.7).
 */
export function ownFiles<File extends ContextFile>(
  { type }: Pick<Agent, 'type'>,
  stored: readonly File[],
): File[] {
  return stored.filter(
    ({ name, content }) => OWN_NAMES[type].has(name) && (type === 'open' || content.trim() !== ''),
  )
}
