import { compareText, fence, headOf, neutralize } from '@loam/text'
import type { SkillSource, SkillSummary } from '../skill.js'
import type { SlashCommand } from './resolve-slash-command.js'
import { SLASH_SENTENCES, type SlashSentences } from './slash-sentences.js'
import { SLASH_COMMAND_DEFAULTS } from './slash-settings.js'

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
  /** What commands begin with here, for the help. Default `/`. */
  readonly prefix?: string | undefined
  /** Default: `SLASH_SENTENCES`. */
  readonly sentences?: Partial<SlashSentences> | undefined
}

/** Says what a command does to the turn (spec 03, 4.8, "Effects"). */
export async function applySlashCommand<Entry extends ShownByCommand>(
  command: SlashCommand<Entry>,
  { message, skills, load, prefix = SLASH_COMMAND_DEFAULTS.prefix, sentences }: ApplyOptions<Entry>,
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
      return {
        message: said.help,
        extraPrompt: explanation(command.skill, prefix),
        skillFilter: undefined,
      }
    default:
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
    .map(({ slug, description }) => {
      const told = line(description)
      return told === '' ? `- ${line(slug)}` : `- ${line(slug)} – ${told}`
    })
  return ['## Available Skills', ...(lines.length === 0 ? [noSkills] : lines)].join('\n')
}

function explanation({ slug, name, description, source }: ShownByCommand, prefix: string): string {
  return [
    '## Skill to Explain',
    `- Slug: ${line(slug)}`,
    `- Name: ${line(name)}`,
    `- Description: ${line(description)}`,
    // A path of the server is nobody's business.
    `- Location: ${source === undefined ? line(slug) : `${source}/${line(slug)}`}`,
    `- To use it: ${prefix}${line(slug)} followed by what to do`,
  ].join('\n')
}

function notFound({
  target,
  suggestions,
}: Extract<SlashCommand, { readonly kind: 'unknown' }>): string {
  return [
    '## Unknown Skill',
    'There is no skill of the name that the user typed:',
    fence(line(target), { tag: 'typed_name', otherTags: TAGS }),
    `Similar skills: ${suggestions.map(({ slug }) => line(slug)).join(', ')}`,
  ].join('\n')
}

/** Someone else's words, on one line and without power. */
function line(text: string): string {
  const flat = text.replaceAll(LINE_BREAKING, ' ').trim()
  return neutralize(headOf(flat, MAX_LINE_CHARACTERS), { tags: TAGS })
}

const MAX_LINE_CHARACTERS = 1_024
const LINE_BREAKING = /[\s\p{Cc}]+/gu
const TAGS = Object.freeze([
  'activated_skill',
  'typed_name',
  'extra_context',
  'available_skills',
  'skill',
])
