import { InvalidInputError, type InputIssue } from '@loam/core'
import { PROMPT_MODES, PROMPT_SESSION_KINDS } from './prompt-mode.js'
import { LOCKED_SECTION_IDS, SECTION_IDS } from './sections/section-table.js'
import { PROMPT_ORDERS, type SystemPromptInput } from './system-prompt-input.js'

/**
 * Refuses what would silently give another prompt than the one meant.
 *
 * @throws InvalidInputError naming every fault.
 */
export function checkInput(input: SystemPromptInput): void {
  const issues: InputIssue[] = []
  const oneOf = (path: string, value: string | undefined, known: readonly string[]): void => {
    if (value === undefined || known.includes(value)) return
    issues.push({ path, message: `"${value}" is not one of ${known.join(', ')}.` })
  }
  oneOf('mode', input.mode, PROMPT_MODES)
  oneOf('order', input.order, PROMPT_ORDERS)
  oneOf('sessionKind', input.sessionKind, PROMPT_SESSION_KINDS)
  oneOf('agent.type', input.agent.type ?? 'missing', ['open', 'predefined'])
  oneOf('channel.kind', input.channel?.kind, ['direct', 'group'])
  oneOf('skills.mode', input.skills?.mode, ['inline', 'search'])
  input.contextFiles?.forEach(({ origin }, index) => {
    oneOf(`contextFiles.${index}.origin`, origin ?? 'missing', ['agent', 'user'])
  })
  if (typeof input.agent.key !== 'string' || input.agent.key.trim() === '') {
    issues.push({ path: 'agent.key', message: 'Must be a text that is not blank.' })
  }
  if (input.time !== undefined && !isDate(input.time.now)) {
    issues.push({ path: 'time.now', message: 'Must be a valid Date.' })
  }
  for (const id of Object.keys(input.sections?.overrides ?? {})) {
    const path = `sections.overrides.${id}`
    if (LOCKED_SECTION_IDS.includes(id)) {
      issues.push({ path, message: `Section ${id} cannot be replaced.` })
    } else oneOf(path, id, SECTION_IDS)
  }
  if (issues.length === 0) return
  const faults = issues.map(({ path, message }) => `${path}: ${message}`).join(' ')
  throw new InvalidInputError({ message: `No prompt can be built. ${faults}`, issues })
}

function isDate(value: unknown): boolean {
  return value instanceof Date && !Number.isNaN(value.getTime())
}
