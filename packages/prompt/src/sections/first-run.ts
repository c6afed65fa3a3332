import type { ContextFileInput } from '../system-prompt-input.js'
import { hasTool, isText, type SectionContext } from './section.js'

/** Whether BOOTSTRAP.md is there with text: the user's first conversation. */
export function isFirstRun(files: readonly ContextFileInput[]): boolean {
  return files.some(({ name, content }) => name === 'BOOTSTRAP.md' && isText(content))
}

/** Whether there is anything to say about a user who is not known yet. */
export function needsFirstRunSection({ input, firstRun }: SectionContext): boolean {
  return firstRun || (input.agent.type === 'predefined' && hasBlankProfile(input.contextFiles))
}

/** The ritual of an open agent, or how a predefined one gets to know its user (spec 2.2, 1b). */
export function renderFirstRun(context: SectionContext): string {
  if (!context.firstRun) return PROFILE_INCOMPLETE
  if (context.input.agent.type === 'predefined') return GET_TO_KNOW
  return openRitual(hasTool(context, 'write_file') ? '`write_file`' : 'The tool that writes files')
}

/** A profile that is there but says nothing: blank, or with the template's empty name. A profile not loaded says nothing. */
function hasBlankProfile(files: readonly ContextFileInput[] = []): boolean {
  const profile = files.find(({ name }) => name === 'USER.md')
  return profile !== undefined && (!isText(profile.content) || EMPTY_NAME.test(profile.content))
}

const EMPTY_NAME = /^[ \t]*(?:- \*\*Name:\*\*|(?:[-*][ \t]+)?Name:)[ \t]*\r?$/m

const openRitual = (writeTool: string): string => `## First Run (mandatory)
This is your first conversation with this user. BOOTSTRAP.md, below, is the ritual for it and comes before all other work:
- Follow BOOTSTRAP.md from your very first reply. If the user asks for something else, answer in a sentence and return to the ritual.
- Do not open with a generic greeting or an offer of help.
- ${writeTool} is the only tool that counts until the ritual is done: save what you learn as BOOTSTRAP.md says, and leave other tools alone.
- When you have learnt enough, write an empty BOOTSTRAP.md. That ends the first run.`

const GET_TO_KNOW = `## Get to Know the User
You have not met this user before. BOOTSTRAP.md, below, says what to find out.
- Help with what they ask, and in the same replies learn how to call them, their language and their time zone. Ask one thing at a time.
- Save what you learn to USER.md, then write an empty BOOTSTRAP.md. Your own persona stays as it is configured.`

const PROFILE_INCOMPLETE = `## User Profile Incomplete
USER.md does not yet say who this user is. When a moment fits, ask how to call them, and for their language and time zone; then save the answers to USER.md. Never hold up a request for it, and do not ask again if they decline.`
