import { xmlLine, xmlText, type PromptTag } from '../safe-text.js'
import type { SkillInput } from '../system-prompt-input.js'
import { hasTool, isText, lines, type SectionContext } from './section.js'

/** Whether there is a skill to list or to search for. Mode none has pinned skills only (spec 2.2, 9a). */
export function hasSkills({ input, mode }: SectionContext): boolean {
  const { skills } = input
  if (skills === undefined) return false
  if ((skills.pinned ?? []).length > 0) return true
  return mode !== 'none' && (skills.mode === 'search' || (skills.available ?? []).length > 0)
}

/** Inline, by search, or pinned ones beside either. */
export function renderSkills(context: SectionContext): string {
  const { skills } = context.input
  if (skills === undefined) return ''
  const pinned = (skills.pinned ?? []).slice(0, MAX_PINNED)
  const pinnedList =
    pinned.length > 0
      ? lines('Pinned skills, to be read first when they fit:', skillList('pinned_skills', pinned))
      : undefined
  if (context.mode === 'none') return lines('## Skills', pinnedList)
  return lines(
    '## Skills',
    pinnedList,
    skills.mode === 'search' ? SEARCH : inlineSkills(skills.available ?? []),
    hasTool(context, 'skill_manage') ? CREATION_HINT : undefined,
  )
}

function inlineSkills(available: readonly SkillInput[]): string | undefined {
  if (available.length === 0) return undefined
  const bySlug = available.toSorted((a, b) => (a.slug < b.slug ? -1 : Number(a.slug > b.slug)))
  return lines(INLINE, skillList('available_skills', bySlug))
}

// Already escaped, value by value; fencing the list as a whole would take the power out of its own tags.
function skillList(tag: PromptTag, skills: readonly SkillInput[]): string {
  return lines(`<${tag}>`, ...skills.map(skillElement), `</${tag}>`)
}

function skillElement({ slug, name, description, location, body }: SkillInput): string {
  return lines(
    `<skill slug="${xmlLine(slug, 128)}">`,
    `<name>${xmlLine(name, 100)}</name>`,
    `<description>${xmlLine(description, 200)}</description>`,
    isText(location) ? `<location>${xmlLine(location, 1024)}</location>` : undefined,
    isText(body) ? `<skill_body>\n${xmlText(body)}\n</skill_body>` : undefined,
    '</skill>',
  )
}

const MAX_PINNED = 10

const INLINE = `Before you answer, go through the descriptions in <available_skills> (mandatory).
- If one clearly fits, read its SKILL.md at its location, then follow it. If several fit, take the most specific.
- If none fits, read none. Never read more than one before you start.`

const SEARCH = `There are more skills than fit here. Before a task for which a proven procedure may exist, call \`skill_search\` with a few words about the task (mandatory), read the SKILL.md of the best match and follow it. If nothing fits, go on without.`

const CREATION_HINT =
  'When a task took five tool calls or more and is likely to come back, offer to keep the way as a skill with `skill_manage`.'
