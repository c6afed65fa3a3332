import { estimateTokens } from '@loam/text'
import { CACHE_BOUNDARY } from './cache-boundary.js'
import { checkInput } from './check-input.js'
import { resolvePromptMode, type PromptMode } from './prompt-mode.js'
import { prose } from './safe-text.js'
import { isFirstRun } from './sections/first-run.js'
import { isText, type Section, type SectionContext } from './sections/section.js'
import { SECTION_TABLE } from './sections/section-table.js'
import type { PromptOrder, SystemPromptInput } from './system-prompt-input.js'

/** One part of a built prompt. */
export interface PromptSection {
  /** The seed's number, or `prefix` and `suffix` for contributions. In cache order 1 and 11 can stand in both halves. */
  readonly id: string
  readonly title: string
  /** Length in UTF-16 units. */
  readonly characters: number
  /** Estimated, see `estimateTokens` of `@loam/text`. */
  readonly tokens: number
  /** Whether it stands above the cache boundary. */
  readonly stable: boolean
}

/** A built prompt. */
export interface SystemPrompt {
  /** The whole prompt. In cache order `stable`, a line break, `CACHE_BOUNDARY`, a line break, `dynamic`. */
  readonly text: string
  /** What is the same for every user, turn and day. Empty in seed order. */
  readonly stable: string
  /** What varies. The whole prompt in seed order. */
  readonly dynamic: string
  /** In the order of the text. */
  readonly sections: readonly PromptSection[]
  readonly mode: PromptMode
  readonly order: PromptOrder
}

/**
 * Builds the system prompt of an agent for one turn (spec 2). The same input gives the same text, whatever the order of
 * tools and inline skills; nothing is read but the input.
 *
 * @throws InvalidInputError for a mode, order, kind, date or section id that does not exist, and for an override of Safety.
 * @example
 * const { stable, dynamic } = buildSystemPrompt({
 *   agent: { key: 'helper', type: 'open' },
 *   order: 'cache',
 * })
 */
export function buildSystemPrompt(input: SystemPromptInput): SystemPrompt {
  checkInput(input)
  const order = input.order ?? 'seed'
  const mode = resolvePromptMode({ override: input.mode, sessionKind: input.sessionKind })
  const files = (input.contextFiles ?? []).filter(({ content }) => isText(content))
  const context = { input, mode, order, files, firstRun: isFirstRun(files) }

  const shown = SECTION_TABLE.filter(
    (section) => section.modes.includes(mode) && (section.when?.(context) ?? true),
  )
    .map((section) => renderSection(section, context))
    .filter(({ text }) => text !== '')
  const prefix = contribution('prefix', 'Stable Prefix', input.sections?.stablePrefix)
  const suffix = contribution('suffix', 'Dynamic Suffix', input.sections?.dynamicSuffix)

  if (order === 'seed') {
    const parts = [...prefix, ...joinSections(shown), ...suffix]
    const text = joined(parts)
    const sections = parts.map((part) => measured(part, false))
    return { text, stable: '', dynamic: text, sections, mode, order }
  }
  const above = [...shown.filter(({ half }) => half === 'stable'), ...prefix]
  const below = [...suffix, ...shown.filter(({ half }) => half === 'dynamic')]
  const stable = joined(above)
  const dynamic = joined(below)
  return {
    text: `${stable}\n${CACHE_BOUNDARY}\n${dynamic}`,
    stable,
    dynamic,
    sections: [
      ...above.map((part) => measured(part, true)),
      ...below.map((part) => measured(part, false)),
    ],
    mode,
    order,
  }
}

interface Part {
  readonly id: string
  readonly title: string
  readonly text: string
}

function renderSection(section: Section, context: SectionContext): Part & Pick<Section, 'half'> {
  const { id, title, half, overridable } = section
  const overrides = context.input.sections?.overrides ?? {}
  const override = overridable && Object.hasOwn(overrides, id) ? overrides[id] : undefined
  const text = override === undefined ? section.render(context) : prose(override)
  return { id, title, half, text }
}

function contribution(id: string, title: string, text: string | undefined): Part[] {
  return isText(text) ? [{ id, title, text: prose(text) }] : []
}

/** Rows of one id become one section. */
function joinSections(parts: readonly Part[]): Part[] {
  const sections: Part[] = []
  for (const part of parts) {
    const last = sections.at(-1)
    if (last?.id !== part.id) sections.push(part)
    else sections[sections.length - 1] = { ...last, text: `${last.text}${SEPARATOR}${part.text}` }
  }
  return sections
}

function joined(parts: readonly Part[]): string {
  return parts.map(({ text }) => text).join(SEPARATOR)
}

function measured({ id, title, text }: Part, stable: boolean): PromptSection {
  return { id, title, characters: text.length, tokens: estimateTokens(text), stable }
}

const SEPARATOR = '\n\n'
