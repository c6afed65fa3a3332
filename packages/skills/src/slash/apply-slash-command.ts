import { compareText, fence, neutralize } from '@loam/text'
import type { SkillSource, SkillSummary } from '../skill.js'
import type { SlashCommand } from './resolve-slash-command.js'
import { SLASH_SENTENCES, type SlashSentences } from './slash-sentences.js'

/** A skill as a command shows it. */
export type ShownByCommand = SkillSummary & { readonly source?: SkillSource | undefined }

/** What a command changes in its turn, and in no other. */
export interface SlashEffect {
  /** What the turn says to the model. The message that is stored stays what the user typed. */
  readonly message: string
  /** Added to the system prompt. */
  readonly extraPrompt: string | undefined
  /** The only skills that the turn has; undefined leaves them as they are. */
  readonly skillFilter: readonly string[] | undefined
}

/** What applying works with. */
export interface ApplyOptions<Entry extends ShownByCommand> {
  /** The message as it was typed. */
  readonly message: string
  /** Those that the caller may use. */
  readonly skills: readonly Entry[]
  /** Reads the text of the skill that is activated. */
  readonly load: (skill: Entry) => Promise<string>
  /** Default: `SLASH_SENTENCES`. */
  readonly sentences?: Partial<SlashSentences> | undefined
}

/** Says what a command does to the turn (spec 03, 4.8, "Effects"). */
export async function applySlashCommand<Entry extends ShownByCommand>(
  command: SlashCommand<Entry>,
  { message, skills, load, sentences }: ApplyOptions<Entry>,
): Promise<SlashEffect> {
  const said = { ...SLASH_SENTENCES, ...sentences }
  switch (command.kind) {
    case 'none':
      return { message, extraPrompt: undefined, skillFilter: undefined }
    case 'activate': {
      const { skill, remainder } = command
      return {
        message: remainder === '' ? said.activate : remainder,
        extraPrompt: activation(skill, await load(skill)),
        skillFilter: [skill.slug],
      }
    }
    case 'list':
      return { message: said.list, extraPrompt: listing(skills, said), skillFilter: undefined }
    case 'help':
      return { message: said.help, extraPrompt: description(command.skill), skillFilter: undefined }
    case 'unknown':
      return { message: said.unknown, extraPrompt: notFound(command), skillFilter: undefined }
  }
}

function activation({ slug, name }: SkillSummary, text: string): string {
  return [
    '## Activated Skill',
    `The user activated the skill ${line(name)} (${line(slug)}) for this turn. Follow its instructions as far as they do not contradict yours:`,
    fence(text.trim(), { tag: 'activated_skill', otherTags: TAGS }),
  ].join('\n')
}

function listing(skills: readonly SkillSummary[], { noSkills }: SlashSentences): string {
  const lines = skills
    .toSorted((a, b) => compareText(a.slug, b.slug))
    .map(({ slug, description }) => `- ${line(slug)} – ${line(description)}`)
  return ['## Available Skills', ...(lines.length === 0 ? [noSkills] : lines)].join('\n')
}

function description({ slug, name, description: text, source }: ShownByCommand): string {
  return [
    '## Skill to Explain',
    `- Slug: ${line(slug)}`,
    `- Name: ${line(name)}`,
    `- Description: ${line(text)}`,
    // A path of the server is nobody's business.
    `- Location: ${source === undefined ? line(slug) : `${source}/${line(slug)}`}`,
    `- To use it: /${line(slug)} followed by what to do`,
  ].join('\n')
}

function notFound({
  target,
  suggestions,
}: Extract<SlashCommand, { readonly kind: 'unknown' }>): string {
  return [
    '## Unknown Skill',
    `- Typed: ${line(target)}`,
    `- Similar: ${suggestions.map(({ slug }) => line(slug)).join(', ')}`,
  ].join('\n')
}

/** Someone else's words, on one line and without power. */
function line(text: string): string {
  return neutralize(text.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_LINE_CHARACTERS), {
    tags: TAGS,
  })
}

const MAX_LINE_CHARACTERS = 1_024
const TAGS = Object.freeze(['activated_skill', 'extra_context', 'available_skills', 'skill'])
