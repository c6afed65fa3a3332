import type { PromptMode } from '../prompt-mode.js'
import type { ContextFileInput, PromptOrder, SystemPromptInput } from '../system-prompt-input.js'

/** What a section can look at. */
export interface SectionContext {
  readonly input: SystemPromptInput
  readonly mode: PromptMode
  readonly order: PromptOrder
  /** BOOTSTRAP.md is there and not blank. */
  readonly firstRun: boolean
  /** The context files that are not blank. */
  readonly files: readonly ContextFileInput[]
}

/** One row of the table of sections. Rows of one id that follow each other are one section in seed order. */
export interface Section {
  /** The seed's number. */
  readonly id: string
  readonly title: string
  /** On which side of the boundary it stands in cache order. */
  readonly half: 'stable' | 'dynamic'
  readonly modes: readonly PromptMode[]
  /** Whether an override may stand in its place. */
  readonly overridable: boolean
  /** Default: always. */
  readonly when?: (context: SectionContext) => boolean
  readonly render: (context: SectionContext) => string
}

/** Whether a tool of exactly this name is there. */
export function hasTool({ input }: SectionContext, name: string): boolean {
  return input.tools?.some((tool) => tool.name === name) ?? false
}

/** Whether an optional text says anything. */
export function isText(text: string | undefined): text is string {
  return text !== undefined && /\S/.test(text)
}

/** The given lines, those that are undefined left out. */
export function lines(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join('\n')
}
